"""From which range a problem draws its whole numbers. The ends of a wide one come so seldom that nobody would meet them, and neither
do two that are the same."""

import torch
from torch.overrides import TorchFunctionMode

from . import tensors

_FEWEST = 2  # numbers: of a single one nobody can tell where it comes from


class _Listener(TorchFunctionMode):
    """Notes what `torch.randint` is asked for, and what it gives."""

    def __init__(self):
        super().__init__()
        self.draws = []  # (numbers, least, largest)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        result = function(*args, **kwargs)
        if function is torch.randint and isinstance(result, torch.Tensor) and result.numel() >= _FEWEST:
            self.draws.append((result.clone(), *_bounds(args, kwargs)))
        return result


def _bounds(args, kwargs):
    """randint([low,] high, size)"""
    numbers = [value for value in args if isinstance(value, int)]
    high = kwargs.get("high", numbers[-1] if numbers else None)
    low = kwargs.get("low", numbers[0] if len(numbers) > 1 else 0)
    return low, high - 1


def heard(problem, inputs, seed):
    """By the number of a tensor among the inputs: the least and the largest number that it may hold, where each of its elements is
    drawn by itself."""
    whole = [index for index, tensor in enumerate(tensors.tensors_of(inputs)) if _is_whole(tensor)]
    if not whole:
        return {}
    with _Listener() as listener:
        again = list(tensors.tensors_of(problem.make_inputs(seed)))
    found = {index: next(filter(None, (_range_in(again[index], *draw) for draw in listener.draws)), None) for index in whole}
    return {index: ends for index, ends in found.items() if ends}


def _is_whole(tensor):
    return not tensors.is_inexact(tensor) and tensor.dtype != torch.bool and tensor.numel() >= _FEWEST


def _range_in(tensor, drawn, low, high):
    """Where a tensor is what was drawn, in another form or type, or that and a number more."""
    if tensor.numel() != drawn.numel() or high <= low:
        return None
    more = tensor.flatten().long() - drawn.flatten().to(tensor.device).long()
    limits, ends = torch.iinfo(tensor.dtype), (low + int(more[0]), high + int(more[0]))
    return ends if bool((more == more[0]).all()) and limits.min <= ends[0] and ends[1] <= limits.max else None
