"""What a call must move between memory and processors, whoever computes it: the floor below which no time can be. And what of it
could be there beforehand."""

import copy
import math

import torch

from . import tensors

_DRAWS = 6  # what is zero in half of them by chance (relu) is so in a sixtieth of all
_NOTICEABLE = 0.05


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


def constant_share(problem, model, draw):
    """Of the bytes of the results, those that no inputs change, such as padding; `draw` gives new inputs. Nothing where they are few."""
    first = [output.clone() for output in problem.forward(model, draw())]
    same = [torch.ones_like(output, dtype=torch.bool) for output in first]
    all_bytes = sum(output.numel() * output.dtype.itemsize for output in first)
    share = 0.0
    for _ in range(_DRAWS - 1):
        outputs = problem.forward(model, draw())
        if not all_bytes or any(one.shape != other.shape for one, other in zip(first, outputs)):
            return 0.0
        same = [s & (one == other) for s, one, other in zip(same, first, outputs)]
        share = sum(int(s.sum()) * output.dtype.itemsize for s, output in zip(same, first)) / all_bytes
        if share < _NOTICEABLE:
            return 0.0
    return share
