"""Numbers that stand for nothing in an output (-1e9 where something is masked): next to them all others are small, and could be computed
in a lower precision, or not at all. The others are judged by themselves."""

import torch

_LEAST = 1e3  # what is not as large is no such number
_APART = 1e3  # times the largest of the others
_NARROW = 0.01  # of their size: something may have been added to them
_SHARE = 1 / 64  # of the values at least; a few may be far from all others by themselves, but
_SAME = 8  # of them will not be the same number
_FEWEST = 64  # others


def find(output, largest):
    """Where they are in an output whose largest absolute value is known, or None."""
    if not largest >= _LEAST or output.numel() < _FEWEST:
        return None
    size = output.abs()
    filled = size >= (1 - _NARROW) * largest
    count = int(filled.sum())
    if output.numel() - count < _FEWEST:
        return None
    if count < _SHARE * output.numel() and (count < _SAME or (output[filled] != output[filled][0]).any()):
        return None
    others = float(size.masked_fill_(filled, 0).max())
    return filled if 0 < others * _APART <= largest else None
