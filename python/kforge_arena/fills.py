"""Numbers that stand for nothing in an output (-1e9 where something is masked): next to them all others are small, and could be computed
in a lower precision, or not at all. The others are judged by themselves."""

_LEAST = 1e3  # what is not as large is no such number
_APART = 1e3  # times the largest of the others
_NARROW = 0.01  # of their size: something may have been added to them
_SHARE = 1 / 64  # of the values at least; a few may be far from all others by themselves, but
_SAME = 8  # of them will not be the same number
_FEWEST = 64  # others
_KINDS = 4  # of such numbers: where two masks are added to each other, some values have both


def find(output, largest):
    """Where they are in an output whose largest absolute value is known, or None."""
    if not largest >= _LEAST or output.numel() < _FEWEST:
        return None
    size, filled, left = output.abs(), None, output.numel()
    for _ in range(_KINDS):
        more = size >= (1 - _NARROW) * largest  # none of those before: their size is zero by now
        count = int(more.sum())
        left -= count
        if left < _FEWEST or not _stand_for_nothing(output, more, count):
            return None
        filled = more if filled is None else filled | more
        others = float(size.masked_fill_(more, 0).max())
        if others * _APART <= largest:
            return filled if others > 0 else None
        largest = others
    return None


def _stand_for_nothing(output, places, count):
    return count >= _SHARE * output.numel() or (count >= _SAME and bool((output[places] == output[places][0]).all()))
