"""What a call must move between memory and processors, whoever computes it: the floor below which no time can be."""

import copy
import math

import torch

from . import tensors


def least_bytes(problem, model, inputs):
    """The outputs, and the inputs on which they depend. Weights do not count: they may be folded beforehand."""
    outputs = problem.forward(model, inputs)
    stored = sum(_elements(o) * o.dtype.itemsize for o in outputs)
    try:
        return stored + _loaded_bytes(model, inputs)
    except Exception:  # no derivative, not enough memory: then the outputs alone
        return stored


def _elements(tensor):
    """Those that lie in memory: an expanded tensor shows the same ones again and again."""
    return math.prod(size for size, stride in zip(tensor.shape, tensor.stride()) if stride != 0)


def _loaded_bytes(model, inputs):
    """An element whose gradient is not zero must be read."""
    tracked = tensors.map_tensors(inputs, lambda t: t.clone().requires_grad_(t.dtype.is_floating_point))
    with torch.enable_grad():
        result = copy.deepcopy(model)(*tracked)
        outputs = [o for o in tensors.tensors_of([result]) if o.requires_grad]
        sum((o.double() * torch.randn(o.shape, dtype=torch.float64, device=o.device)).sum() for o in outputs).backward()
    return sum(min(int((t.grad != 0).sum()), _elements(given)) * t.dtype.itemsize
               for t, given in zip(tensors.tensors_of(tracked), tensors.tensors_of(inputs))
               if t.requires_grad and t.grad is not None)
