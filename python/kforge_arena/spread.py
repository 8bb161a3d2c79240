"""How wrong most values of an output are. The largest error, relative to the largest value, says nothing of those where a few
are large: they could be computed in a lower precision, or not at all."""

import functools
import math

import torch

SHARES = (0.5, 0.9, 0.99)  # of the values: so many are no more wrong than this
NONE = (0.0,) * len(SHARES)  # where nothing can be said
_FEWEST, _MOST = 64, 1 << 12  # of more values a sample tells as much
LEAST, LEAST_OF_ALL = {torch.float64: 1e-290}, 1e-30  # nobody need keep apart numbers that are as small
_COMMON = 0.5  # of the values: as many that are the same (zeros, what is masked) say nothing of the others


@functools.cache
def _generator(device):
    """Of places that nobody can foresee."""
    generator = torch.Generator(device)
    generator.seed()
    return generator


def places(count, size, device):
    """So many of an output of this size, at random."""
    return torch.randint(size, (count,), generator=_generator(device), device=device)


class Spread:
    """Of values at random places of an output, next to what is right there."""

    def __init__(self, exact, dtype):
        """`dtype` is that of what will be compared."""
        self.places = None
        self.least = LEAST.get(dtype, LEAST_OF_ALL)
        exact = exact.reshape(-1)
        self.known = len(exact) >= _FEWEST
        if not self.known:
            return
        if len(exact) > _MOST:
            self.places = places(_MOST, len(exact), exact.device)
        self.exact = self._at_places(exact)
        self._leave_out_what_is_common(exact)
        size = self.exact.abs()
        present = size[size > 0]
        self.known = len(present) > 0
        if self.known:
            # What cancels out is as wrong as what it consists of, which is of the usual size.
            self.size = size + present.median() + self.least

    def _leave_out_what_is_common(self, exact):
        """Of a sparse output most places would show zeros, which everybody has."""
        common = self.exact.median()  # if any value is so common, it is this one
        if int((self.exact == common).sum()) < _COMMON * len(self.exact):
            return
        others = (exact != common.to(exact.device)).nonzero().flatten()
        if len(others) < _FEWEST:
            return
        self.places = others if len(others) <= _MOST else others[places(_MOST, len(others), exact.device)]
        self.exact = self._at_places(exact)

    def _at_places(self, flat):
        """So few are at hand sooner than a GPU is asked about them."""
        return (flat if self.places is None else flat[self.places]).cpu().double()

    def errors(self, output):
        """One for each of the shares."""
        if not self.known:
            return NONE
        error = (self._at_places(output.reshape(-1)) - self.exact).abs_() / self.size
        error.clamp_(max=1e300)  # JSON knows no infinity
        return tuple(error.kthvalue(math.ceil(share * len(error))).values.item() for share in SHARES)
