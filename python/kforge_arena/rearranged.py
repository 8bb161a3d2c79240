"""Whole numbers that are the same in every draw (edges, faces, neighbours), in another arrangement that means as much."""

import torch

_TRIES = 4
_FEW = 4  # lines that change places


def differ(tensor, dim):
    """Which lines along a dimension have each number once."""
    return (tensor.long().sort(dim=dim).values.diff(dim=dim) > 0).all(dim=dim, keepdim=True)


def rearranged(tensor):
    """Each line along the longest dimension in an order of its own: in the same for all, a graph would be the same one, with its edges
    in another order. Numbers stay in their line, which has a range of its own, and what differs by construction (the ends of an edge,
    the corners of a face, whole edges) still does."""
    dim = _longest(tensor)
    together = tensor.index_select(dim, torch.randperm(tensor.shape[dim], device=tensor.device))
    if tensor.dim() == 1:
        return together
    distinct = [each for each, size in enumerate(tensor.shape) if size > 1 and differ(tensor, each).all()]
    across, along = [each for each in distinct if each != dim], dim in distinct
    unique = not _come_again(tensor, dim).any()
    other = together.gather(dim, torch.rand(tensor.shape, device=tensor.device).argsort(dim))
    for _ in range(_TRIES):
        wrong = torch.zeros((), dtype=torch.bool, device=tensor.device)
        for each in across:
            wrong = wrong | ~differ(other, each)
        if unique:
            wrong = wrong | _come_again(other, dim)
        if not wrong.any():
            return other if not along or differ(other, dim).all() else together
        other = torch.where(wrong, together, other)
    return together


def slightly(tensor):
    """A few lines only; the same tensor where what differs by construction would not any more."""
    dim = _longest(tensor)
    places = torch.randperm(tensor.shape[dim], device=tensor.device)[:_FEW]
    some = tensor.index_select(dim, places)
    other = tensor.index_copy(dim, places, some.gather(dim, torch.rand(some.shape, device=tensor.device).argsort(dim)))
    if tensor.dim() == 1:
        return other
    kept = all(differ(other, each).all() or not differ(tensor, each).all() for each in range(tensor.dim()))
    return other if kept and (_come_again(tensor, dim).any() or not _come_again(other, dim).any()) else tensor


def _longest(tensor):
    return max(range(tensor.dim()), key=lambda each: (tensor.shape[each], each))


def _come_again(tensor, dim):
    """Of what lies next to each other along a dimension: whether the same has come before. By a sum with factors by lot, which is
    as good as never the same by chance."""
    parts = tensor.movedim(dim, 0).flatten(1).long()
    sums = (parts * torch.randint(1 << 62, parts.shape[1:], device=tensor.device)).sum(1)
    order = sums.argsort(stable=True)
    again = torch.zeros(len(parts), dtype=torch.bool, device=tensor.device)
    again[order[1:]] = sums[order].diff() == 0
    return again.view([-1 if each == dim else 1 for each in range(tensor.dim())])
