"""Infinities that a reference means (what is masked out of scores), not those of an overflow. Where they are is an output of whole numbers
by itself, to which all applies that is said of such; what is next to them is judged as if they were not there."""

import torch

_SIGNS = (-torch.inf, torch.inf)
_UNCLEAR = 1 / 64  # of them: where a value is next to a threshold


class Meant:
    """By output, which of the infinities are meant."""

    def __init__(self, signs=()):
        self.signs = dict(signs)

    def are_finite(self, outputs):
        """Whether all values are that are not meant otherwise."""
        return all(torch.isfinite(values).all() for values in self.without(outputs))

    def apart(self, outputs):
        """Of each output its values, with zeros in place of what is infinite and, where such is meant, where that is: -1, 0 or 1."""
        return [self._apart(output, self.signs.get(index, ())) for index, output in enumerate(outputs)]

    def without(self, outputs):
        return [values for values, *_ in self.apart(outputs)]

    @staticmethod
    def _apart(output, signs):
        if not signs or not output.dtype.is_floating_point:  # a candidate's: see forms.find_other_form
            return [output]
        places = torch.zeros_like(output, dtype=torch.int8)
        for sign in signs:
            places += (output == sign).to(torch.int8) * (1 if sign > 0 else -1)
        return [output.masked_fill(places != 0, 0.0), places]


def meant(eager, exact):
    """Those that eager has beside others, and that are what is exact, on the problem's own inputs."""
    signs = {}
    for index, (one, other) in enumerate(zip(eager, exact)):
        if not one.dtype.is_floating_point or one.shape != other.shape or torch.isinf(one).all():
            continue
        for sign in _SIGNS:
            of_eager, of_exact = one == sign, other == sign
            if of_eager.any() and (of_eager != of_exact).sum() <= _UNCLEAR * of_eager.sum():
                signs.setdefault(index, []).append(sign)
    return Meant(signs)
