"""How wrong eager is: on inputs as they are, and with their channels last, where PyTorch adds up in another order. In double precision
nothing is more exact than eager itself: there its errors are those of single precision, as much smaller as the last place is."""

import copy

import torch

from . import problem as problems, tensors

_DOUBLE_TO_SINGLE = torch.finfo(torch.float64).eps / torch.finfo(torch.float32).eps
_CHANNELS_LAST = {4: torch.channels_last, 5: torch.channels_last_3d}
_MOST = 0.05  # of the largest value: further away is something else, such as random numbers in another order


def as_wrong_as_eager(problem, model, inputs, eager, exact):
    """Outputs whose distance to the exact ones is what eager is to be taken for."""
    rounded = _in_single(problem, model, inputs, eager, exact)
    laid_out = tensors.map_tensors(inputs, _with_channels_last)
    if all(one is other for one, other in zip(tensors.tensors_of(inputs), tensors.tensors_of(laid_out))):
        return rounded
    try:
        others = problem.forward(model, laid_out)
    except problems.ProblemError:  # a reference that asks for a layout
        return rounded
    return [_worse(*each) for each in zip(rounded, others, exact, strict=True)]


def _in_single(problem, model, inputs, eager, exact):
    if not any(e.dtype in (torch.float64, torch.complex128) for e in eager):
        return eager
    try:
        narrow = problem.forward(copy.deepcopy(model).float(), tensors.map_tensors(inputs, tensors.narrowed))
        return [x + (n - x) * _DOUBLE_TO_SINGLE if e.dtype == x.dtype else e
                for e, x, n in zip(eager, exact, narrow, strict=True)]
    except (problems.ProblemError, RuntimeError, ValueError):  # a reference that fixes its dtype
        return eager


def _with_channels_last(tensor):
    layout = _CHANNELS_LAST.get(tensor.dim())
    return tensor.contiguous(memory_format=layout) if layout and tensor.dtype.is_floating_point else tensor


def _worse(one, other, exact):
    if not one.dtype.is_floating_point or one.shape != other.shape or one.numel() == 0:
        return one
    distance = (other - exact).abs()
    if not distance.max() <= _MOST * exact.abs().max():
        return one
    return torch.where(distance > (one - exact).abs(), other, one)
