"""Outputs that are chosen from what is there (sorted, gathered, the largest of some), not computed: whoever does that has them
exactly, and to allow for rounding would allow for what is chosen by a part of each value."""

import torch

_PLACES = 1 << 12  # of an output, at random
_FEW = 4  # values that may be among others by chance
FLOOR = 1 / 16  # of what may be wrong by rounding: a few last places, for max(a, b) as (a + b + |a - b|) / 2


def is_chosen(eager, exact, sources):
    """Whether the values of an output, but for whole numbers (padding), are all among the sources."""
    if not eager.dtype.is_floating_point or eager.numel() < _FEW:
        return False
    flat = eager.reshape(-1)
    places = torch.randint(len(flat), (_PLACES,), device=flat.device)
    values = flat[places]
    if not torch.equal(values.double(), exact.reshape(-1)[places]):
        return False  # computed, and rounded: this tells nearly always
    wanted = values.unique()
    wanted = wanted[wanted != wanted.round()]
    return len(wanted) >= _FEW and _are_among(wanted, [s for s in sources if s.dtype == eager.dtype and s.numel()])


def _are_among(wanted, sources):
    missing = torch.ones(len(wanted), dtype=torch.bool, device=wanted.device)
    for source in sources:
        values = source.detach().reshape(-1)
        where = torch.searchsorted(wanted, values).clamp_(max=len(wanted) - 1)
        missing[where[wanted[where] == values]] = False
    return not missing.any()
