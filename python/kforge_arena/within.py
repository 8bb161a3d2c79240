"""Values that are nowhere beyond those that there are, but lie elsewhere in their range. See distributions.WITHIN and distributions.LINES."""

import math

import torch

_END = 1 / 16  # of the range: most values there are next to its end
_BAND = 1 / 64
_PARTS = 4
_ZERO = 1 / 8  # of the lines
_AT_AN_END = 2  # of the parts; then comes a band, and a part that stays what it is


def crowded(tensor):
    """By the first two dimensions, half of the parts of either are next to an end of the range, one after the other at the upper and at
    the lower one. Whichever of the two is time, there are sequences that stay at one end, for three quarters of the steps at least."""
    low, high = (end.item() for end in torch.aminmax(tensor.float()))
    if not math.isfinite(high - low) or low == high:
        return tensor
    share = torch.rand(tensor.shape, device=tensor.device)
    part, is_upper = _parts(tensor)
    at_an_end = _next_to_an_end(share, is_upper)
    band = (1 - _BAND) * torch.rand(()).item() + _BAND * share
    value = low + (high - low) * torch.where(part < _AT_AN_END, at_an_end, band)
    value = torch.where(part < _PARTS - 1, value.clamp(low, high), tensor.float())
    whole = torch.equal(tensor, tensor.round())
    return (value.round() if whole else value).to(tensor.dtype)


def with_other_lines(tensor):
    """Some lines are zeros, by any number of leading dimensions. And one item stays far from the middle of the range in half of its
    last dimension, each place there on one side for as long as the item is: neither a sample nor a mean tells that."""
    if tensor.dim() < 2 or not tensor.numel():
        return tensor
    value, device = tensor.contiguous().clone(), tensor.device
    for depth in range(1, tensor.dim()):
        lines = value.view(math.prod(tensor.shape[:depth]), -1)
        items = torch.arange(len(lines), device=device) // math.prod(tensor.shape[1:depth])
        lines[(torch.rand(len(lines), device=device) < _ZERO) & (items % (tensor.dim() - 1) == depth - 1)] = 0
    low, high = (end.item() for end in torch.aminmax(tensor.float()))
    item = int(torch.randint(len(value), ()))
    if math.isfinite(high - low):
        chosen, is_upper = torch.rand(2, tensor.shape[-1], device=device) < 0.5
        place = _next_to_an_end(torch.rand(value[item].shape, device=device), is_upper)
        far = 0.5 + (0.5 + 0.5 * torch.rand(()).item()) * (place - 0.5)
        value[item] = torch.where(chosen, (low + (high - low) * far).clamp(low, high).to(value.dtype), tensor[item])
    return value


def _next_to_an_end(share, is_upper):
    """Of a range from 0 to 1; `share` is random."""
    end = _END * share**8
    return torch.where(is_upper, 1 - end, end)


def _parts(tensor):
    """The lesser of the numbers of the parts in which an element is by either dimension, and at which end it would be by that one."""
    device, by_lot = tensor.device, torch.rand(()) < 0.5
    part = torch.full([1] * tensor.dim(), _PARTS - 1, device=device)
    is_upper = torch.zeros_like(part, dtype=torch.bool)
    for dim, size in enumerate(tensor.shape[:2]):
        if size < _PARTS:
            continue
        index = torch.arange(size, device=device).view([-1 if each == dim else 1 for each in range(tensor.dim())])
        number = index * _PARTS // size
        # One sequence only: all of its steps.
        upper = index % 2 == by_lot if dim == 0 or tensor.shape[0] >= _PARTS else by_lot.to(device).expand(index.shape)
        is_upper = torch.where(number < part, upper, is_upper)
        part = torch.minimum(part, number)
    return part, is_upper
