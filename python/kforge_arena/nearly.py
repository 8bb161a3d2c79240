"""The inputs of the call before, but for a few numbers: what tells inputs by some of their values (a sample, a sum, an address), and
answers with what it has made of others, is found out."""

import torch

from . import rearranged, tensors

_ONE_IN = 256  # numbers is another one at the most, one of all at the least: few show in no mean, and many in every sample


class Nearly:
    def __init__(self, one, another):
        """By two draws: whole numbers may rest on each other, so they change only where they are the same each time, or by themselves."""
        whole = [not tensors.is_inexact(tensor) for tensor in one]
        self.may_change = [not is_whole or sum(whole) == 1 or torch.equal(a, b) for is_whole, a, b in zip(whole, one, another)]

    def __call__(self, inputs):
        may_change = iter(self.may_change)
        return tensors.map_tensors(inputs, lambda tensor: _changed(tensor) if next(may_change, False) else tensor)


def _changed(tensor):
    """The same tensor where there is nothing to change."""
    if tensor.numel() < 2:
        return tensor
    if not tensors.is_inexact(tensor):
        return tensor if _in_order(tensor) else rearranged.slightly(tensor)
    value = tensor.contiguous().clone()
    flat = value.view(-1)
    count = int(max(1, len(flat) / _ONE_IN) ** float(torch.rand(1)))
    flat[torch.randint(len(flat), (count,), device=flat.device)] = _extreme(flat)
    return value


def _extreme(flat):
    """A number that there is already, and that makes a difference."""
    size = torch.view_as_real(flat).norm(dim=-1) if flat.is_complex() else flat.nan_to_num(0, 0, 0)
    return flat[size.argmax() if torch.randint(2, (1,)) else size.argmin()].clone()


def _in_order(tensor):
    """Offsets, edges of buckets: these stay in order."""
    return tensor.dtype != torch.bool and bool((tensor.diff(dim=-1) >= 0).all())
