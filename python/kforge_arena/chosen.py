"""Outputs that are chosen from what is there (sorted, gathered, the largest of some), or counted, not computed: whoever does that has
them exactly, and to allow for rounding would allow for what is chosen by a part of each value, or not counted."""

import torch

from . import spread

_PLACES = 1 << 12  # of an output, at random
_FEW = 4  # values that may be among others by chance
FLOOR = 1 / 16  # of what may be wrong by rounding: a few last places, for max(a, b) as (a + b + |a - b|) / 2


def is_chosen(eager, exact, sources):
    """Whether the values of an output, but for whole numbers (padding), are all among the sources, or all of them are whole numbers
    and the sources are not."""
    if not eager.dtype.is_floating_point or eager.numel() == 0:
        return False
    flat = eager.reshape(-1)
    places = spread.places(_PLACES, len(flat), flat.device)
    values = flat[places]
    if not torch.equal(values.double(), exact.reshape(-1)[places]):
        return False  # computed, and rounded: this tells nearly always
    wanted = values.unique()
    fractions = wanted[wanted != wanted.round()]
    if len(fractions) == 0:
        return bool(wanted.any()) and not any(map(_is_whole, sources))
    return len(fractions) >= _FEW and _are_among(fractions, [s for s in sources if s.dtype == eager.dtype and s.numel()])


def _is_whole(source):
    """Sums of such numbers are whole as well, however they are computed."""
    return source.dtype.is_floating_point and torch.equal(source, source.round())


def _are_among(wanted, sources):
    missing = torch.ones(len(wanted), dtype=torch.bool, device=wanted.device)
    for source in sources:
        values = source.detach().reshape(-1)
        where = torch.searchsorted(wanted, values).clamp_(max=len(wanted) - 1)
        missing[where[wanted[where] == values]] = False
    return not missing.any()
