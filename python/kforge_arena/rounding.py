"""How wrong eager is: on inputs as they are, and with their channels last, where PyTorch adds up in another order. In double precision
nothing is more exact than eager itself: there its errors are those of single precision, as much smaller as the last place is."""

import copy

import torch

from . import problem as problems, tensors

_DOUBLE_TO_SINGLE = torch.finfo(torch.float64).eps / torch.finfo(torch.float32).eps
_CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
_MOST = 0.05  # of the largest value: further away is something else
# With the problem's own weights another layout counts as this many times what eager is wrong by at the most: PyTorch's group norm with
# channels last computes variances in one pass, and nobody else shall for that.
_MOST_TIMES = 4


def as_wrong_as_eager(problem, model, inputs, eager, exact, draws, own_weights):
    """Outputs whose distance to the exact ones is what eager is to be taken for. `draws`: random numbers, which in another layout lie in
    other places: that is no error."""
    rounded = _in_single(problem, model, inputs, eager, exact)
    if draws:
        return rounded
    laid_out = tensors.map_tensors(inputs, _with_channels_last)
    if all(one is other for one, other in zip(tensors.tensors_of(inputs), tensors.tensors_of(laid_out))):
        return rounded
    try:
        others = problem.forward(model, laid_out)
    except problems.ProblemError:  # a reference that asks for a layout
        return rounded
    return [_worse(*each, own_weights) for each in zip(rounded, others, exact, strict=True)]


def _in_single(problem, model, inputs, eager, exact):
    if not any(e.dtype in (torch.float64, torch.complex128) for e in eager):
        return eager
    try:
        narrow = problem.forward(copy.deepcopy(model).float(), tensors.map_tensors(inputs, tensors.narrowed))
        return [_scaled(*each) if each[0].dtype == each[1].dtype else each[0] for each in zip(eager, exact, narrow, strict=True)]
    except (problems.ProblemError, RuntimeError, ValueError):  # a reference that fixes its dtype
        return eager


def _scaled(eager, exact, narrow):
    """Eager itself beyond the range of single precision."""
    return torch.where(torch.isfinite(narrow), exact + (narrow - exact) * _DOUBLE_TO_SINGLE, eager)


def _with_channels_last(tensor):
    layout = _CHANNELS_LAST.get(tensor.dim())
    return tensor.contiguous(memory_format=layout) if layout and tensor.dtype.is_floating_point else tensor


def _worse(one, other, exact, own_weights):
    if not one.dtype.is_floating_point or one.shape != other.shape or one.numel() == 0:
        return one
    distance, before = (other - exact).abs(), (one - exact).abs()
    if not distance.max() <= _MOST * exact.abs().max():
        return one
    if own_weights and (times := distance.max() / (_MOST_TIMES * before.max())) > 1:
        other, distance = exact + (other - exact) / times, distance / times
    return torch.where(distance > before, other, one)
