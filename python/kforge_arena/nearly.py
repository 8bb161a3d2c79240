"""The inputs of the call before, but for a few numbers: what tells inputs by some of their values (a sample, a sum, an address), and
answers with what it has made of others, is found out."""

import torch

from . import tensors

_FEW = 4  # numbers at the most, in one draw of two
_ONE_IN = 64  # of all of them, in the other


def changed(tensor):
    """The same tensor where there is nothing to change."""
    if tensor.numel() < 2:
        return tensor
    value = tensor.contiguous().clone()
    flat = value.view(-1)
    few = bool(torch.randint(2, (1,)))
    count = int(torch.randint(1, 1 + _FEW, (1,))) if few else max(1, len(flat) // _ONE_IN)
    places = torch.randint(len(flat), (count,), device=flat.device)
    if tensors.is_inexact(tensor):
        flat[places] = _extreme(flat)
    elif not _in_order(value):
        _swap(flat, places[:_ONE_IN], tensor.shape[-1])
    return tensor if torch.equal(flat, tensor.reshape(-1)) else value


def _extreme(flat):
    """A number that there is already, and that makes a difference."""
    size = torch.view_as_real(flat).norm(dim=-1) if flat.is_complex() else flat.nan_to_num(0, 0, 0)
    return flat[size.argmax() if torch.randint(2, (1,)) else size.argmin()].clone()


def _in_order(value):
    """Offsets, edges of buckets: these stay in order."""
    return value.dtype != torch.bool and bool((value.diff(dim=-1) >= 0).all())


def _swap(flat, places, size):
    """Each with another one of its line: a mask masks as many, indices name the same."""
    others = places - places % size + torch.randint(size, places.shape, device=places.device)
    for one, other in zip(places.tolist(), others.tolist()):
        flat[[one, other]] = flat[[other, one]]
