"""Inputs that a candidate is checked on: value distributions, other leading sizes, other strides."""

import math
import re

import torch
from torch.overrides import TorchFunctionMode

from . import tensors

# Value distributions at the given shape. "given" is the problem's own; the others replace floating-point inputs.
DISTRIBUTIONS = ("given", "normal", "large", "offset", "tiny", "negative", "zeros", "rows", "ties", "outliers")

# The problem's own values, but what get_inputs() makes the same each time is something else.
CONSTANTS = "other constants"

# Not every reference can do with all of these (logarithms, probabilities): the first one that it gives a result for.
_NARROWER = ("", " positive", " fraction")
ALTERNATIVES = {"outliers": ("outliers", "outliers above", "outliers below", "outliers fraction"),
                **{name: tuple(name + narrower for narrower in _NARROWER)
                   for name in ("normal", "large", "tiny", "rows", "ties")}}
# Where the reference asks whether a value is a number, some are none.
NO_NUMBERS = "outliers and no numbers"
_ABOUT_NUMBERS = re.compile(r"nan\w+|is(nan|inf|finite|posinf|neginf)")

# Here values are equal, and which of them comes first is for nobody to say: no test of indices.
TIED_DISTRIBUTIONS = ("zeros", "rows", "ties")

BATCH_VARIATIONS = ("batch 1", "batch half", "batch less one", "batch few")
STRIDE_VARIATIONS = ("strides transposed", "strides sliced")


class Asked(TorchFunctionMode):
    """What a reference asks of the values that it is given."""

    def __init__(self):
        super().__init__()
        self.for_numbers = False

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name = getattr(function, "__name__", "").strip("_")
        self.for_numbers = self.for_numbers or _ABOUT_NUMBERS.fullmatch(name) is not None
        return function(*args, **(kwargs or {}))


def _redistribute(tensor, name):
    kind, _, narrower = name.partition(" ")
    if not tensor.dtype.is_floating_point:
        return tensor
    if kind == "outliers":
        return _with_outliers(tensor, name)
    normal = torch.randn(tensor.shape, dtype=torch.float32, device=tensor.device)
    if kind == "normal":
        value = normal
    elif kind == "large":
        value = normal * 50
    elif kind == "offset":
        # Far enough that a variance from sums of squares goes wrong for certain, near enough for half precision's range.
        value = tensor.float() + (1000 if tensor.dtype.itemsize >= 4 else 100)
    elif kind == "tiny":
        value = normal * 1e-3
    elif kind == "negative":
        value = -normal.abs()
    elif kind == "zeros":
        value = torch.zeros_like(normal)
    elif kind == "rows":
        value = normal[..., :1].expand(normal.shape) if normal.dim() else normal
    elif kind == "ties":
        value = (normal * 2).round()
    else:
        raise ValueError(kind)
    if narrower:
        value = value.abs()
    if narrower == "fraction":
        value = value / (1 + value)
    return value.to(tensor.dtype).contiguous()


def _with_outliers(tensor, name):
    """A few values, wherever, are far from all others: what judges by a sample of the inputs is found out."""
    if tensor.numel() == 0:
        return tensor
    value = tensor.contiguous().clone()
    count = min(8, max(1, value.numel() // 64))
    size = 100 + 100 * torch.rand(count, device=value.device)
    if name == "outliers below":
        size = -size
    elif name == "outliers fraction":
        size = (torch.randint(2, (count,), device=value.device) - 1e-3 * torch.rand(count, device=value.device)).abs()
    elif name != "outliers above":
        size *= 2 * torch.randint(2, (count,), device=value.device) - 1
    if name == NO_NUMBERS:
        size *= torch.tensor([math.nan, math.inf, 1.0], device=value.device).repeat(count)[:count]
    value.view(-1)[torch.randint(value.numel(), (count,), device=value.device)] = size.to(value.dtype)
    return value


def _other_integers(tensor):
    if tensor.dtype == torch.bool:
        return torch.rand(tensor.shape, device=tensor.device) < 0.5
    if tensor.dim() and tensor.numel() > 1 and (tensor == tensor.flatten()[0]).all():
        return _fewer(tensor, int(tensor.flatten()[0]))
    steps = tensor.diff().flatten() if tensor.dim() else tensor
    # Where parts begin, in ascending order: in another order that means nothing.
    if tensor.dim() == 0 or (len(steps) and (steps > 0).all() and (steps > 1).any()):
        return tensor
    return tensor[..., torch.randperm(tensor.shape[-1], device=tensor.device)].contiguous()


def _fewer(tensor, value):
    """In place of the same number everywhere: a mask of ones, the full length of each sequence, the first kind of token.
    The first one stays, and they are in order, as padding is."""
    if value < 0 or (value == 0 and tensor.device.type != "cpu"):  # on a GPU an index out of range cannot be caught
        return tensor
    low, high = (0, 1) if value == 0 else (min(value - 1, 1), value)
    others = torch.randint(low, high + 1, tensor.shape, device=tensor.device).to(tensor.dtype)
    others[..., 0] = value
    return others.sort(dim=-1, descending=value > 0).values


def _with_other_constants(one, another):
    """A tree of inputs with other values where two draws have the same; floating-point tensors vary anyway."""
    if isinstance(one, torch.Tensor):
        varies = tensors.is_inexact(one) or not torch.equal(one, another)
        return one if varies else _other_integers(one)
    if isinstance(one, (list, tuple)):
        items = [_with_other_constants(a, b) for a, b in zip(one, another)]
        return items if isinstance(one, list) else tuple(items)
    if isinstance(one, dict):
        return {key: _with_other_constants(value, another[key]) for key, value in one.items()}
    # Smaller, so that a probability stays one. Whole numbers may be sizes.
    return 0.75 * one if isinstance(one, float) and one == another else one


def _same(one, another):
    if isinstance(one, torch.Tensor):
        return torch.equal(one, another)
    if isinstance(one, (list, tuple)):
        return all(map(_same, one, another))
    if isinstance(one, dict):
        return all(_same(value, another[key]) for key, value in one.items())
    return one is another or one == another


class Fresh:
    """Inputs that differ from call to call, also where get_inputs() makes the same each time (it may set a seed of its own):
    results that are remembered must not be worth anything."""

    def __init__(self, problem, seed):
        self.problem = problem
        draws = [tensors.tensors_of(problem.make_inputs(s)) for s in (seed, seed + 1)]
        self.fixed = [one.dtype.is_floating_point and torch.equal(one, other) for one, other in zip(*draws)]

    def __call__(self, seed):
        inputs = self.problem.make_inputs(seed)
        fixed = iter(self.fixed)
        # A little smaller: zeros, signs and the range of probabilities stay what they are.
        return tensors.map_tensors(inputs, lambda t: self._move(t) if next(fixed, False) else t)

    @staticmethod
    def _move(tensor):
        moved = tensor * (1 - 0.1 * torch.rand(tensor.shape, device=tensor.device)).to(tensor.dtype)
        stride = tensors.layout(tensor)[0]["t"][2]
        return torch.empty_strided(tensor.shape, stride, dtype=tensor.dtype, device=tensor.device).copy_(moved)


def leading_size(inputs):
    """The leading size that at least one tensor has and all multi-dimensional tensors could share."""
    sizes = [t.shape[0] for t in tensors.tensors_of(inputs) if t.dim() >= 1 and t.shape[0] > 1]
    return sizes[0] if sizes else None


def _rebatch(inputs, variation):
    size = leading_size(inputs)
    if size is None:
        return None
    wanted = {"batch 1": 1, "batch half": size // 2, "batch less one": size - 1, "batch few": 3}[variation]
    if wanted < 1 or wanted >= size or (variation == "batch half" and wanted == 1):
        return None
    return tensors.map_tensors(
        inputs, lambda t: t[:wanted].contiguous() if t.dim() >= 1 and t.shape[0] == size else t)


def _restride(inputs, variation):
    changed = False

    def change(tensor):
        nonlocal changed
        if tensor.dim() < 2 or tensor.numel() < 2:
            return tensor
        if variation == "strides transposed":
            other = tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
        else:
            wide = torch.empty(*tensor.shape[:-1], 2 * tensor.shape[-1], dtype=tensor.dtype, device=tensor.device)
            other = wide[..., ::2]
            other.copy_(tensor)
        changed = changed or not other.is_contiguous()
        return other

    varied = tensors.map_tensors(inputs, change)
    return varied if changed else None


def make_inputs(problem, name, seed):
    """The inputs of a case, or None where the variation does not apply to this problem."""
    inputs = problem.make_inputs(seed)
    if name == "given":
        return inputs
    if name.split(" ")[0] in DISTRIBUTIONS:
        if not any(t.dtype.is_floating_point for t in tensors.tensors_of(inputs)):
            return None
        return tensors.map_tensors(inputs, lambda t: _redistribute(t, name))
    if name == CONSTANTS:
        varied = _with_other_constants(inputs, problem.make_inputs(seed + 1))
        return None if _same(inputs, varied) else varied
    if name in BATCH_VARIATIONS:
        return _rebatch(inputs, name)
    return _restride(inputs, name)
