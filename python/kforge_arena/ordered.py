"""The problem's own values in another order. See distributions.ORDERED."""

import itertools

import torch

from . import tensors

_AS_IT_IS, _UP, _DOWN, _PEAK = range(4)
_APART = 1e-3  # of the usual value: two that are next to each other are not the same
_FARTHEST = 8  # steps that one sequence is behind another
_SIMILAR = 4  # times as large


def lines(tensor):
    """Every line along one of the last two dimensions rises, falls, has a peak, or stays what it is: next to each other values are alike,
    and all of the largest may be in one place."""
    several = [dim for dim in range(tensor.dim()) if tensor.shape[dim] > 2][-2:]
    if not several or tensor.is_complex():
        return tensor
    dim = several[int(torch.randint(len(several), ()))] if tensor.dim() > 2 else several[-1]  # of sequences either may be time
    rising = tensor.sort(dim=dim).values
    peak = torch.cat((rising.movedim(dim, -1)[..., ::2], rising.movedim(dim, -1)[..., 1::2].flip(-1)), -1).movedim(-1, dim)
    shape = [1 if each == dim else size for each, size in enumerate(tensor.shape)]
    kind = torch.randint(4, shape, device=tensor.device)
    value = torch.where(kind == _UP, rising, tensor)
    value = torch.where(kind == _DOWN, rising.flip(dim), value)
    return torch.where(kind == _PEAK, peak, value)


def pair_up(inputs):
    """Of two inputs that could be of one kind, half of the second is nearly the first one again, some steps later."""
    values = list(tensors.tensors_of(inputs))
    pair = next(((a, b) for a, b in itertools.combinations(range(len(values)), 2) if are_similar(values[a], values[b])), None)
    if pair is None:
        return None
    first, second = (values[index] for index in pair)
    along = 1 if first.dim() > 2 else 0  # of sequences and images; else rows are points
    steps = int(torch.randint(_FARTHEST, ()))
    scale = _APART * first.float().abs().mean()
    near = first.roll(steps, along) + (scale * torch.randn(first.shape, device=first.device)).to(first.dtype)
    half = (torch.arange(len(first), device=first.device) % 2 == 0).view(-1, *[1] * (first.dim() - 1))
    values[pair[1]] = torch.where(half, near, second)
    return tensors.with_values(inputs, values)


def are_similar(one, another):
    if one.shape != another.shape or one.dtype != another.dtype or not one.dtype.is_floating_point or one.dim() < 2 or not one.numel():
        return False
    ends = [tuple(float(end) for end in torch.aminmax(each.float())) for each in (one, another)]
    (low, high), (other_low, other_high) = ends
    size, other_size = max(-low, high), max(-other_low, other_high)
    return (low < 0) == (other_low < 0) and size <= _SIMILAR * other_size and other_size <= _SIMILAR * size
