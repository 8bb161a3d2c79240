"""Inputs that a candidate is checked on: value distributions, other leading sizes, other strides."""

import itertools
import math
import re

import torch
from torch.overrides import TorchFunctionMode

from . import tensors

# Value distributions at the given shape. "given" is the problem's own; the others replace floating-point inputs.
DISTRIBUTIONS = ("given", "normal", "large", "offset", "tiny", "negative", "zeros", "rows", "ties", "outliers", "uneven")

# The problem's own values, but what get_inputs() makes the same each time is something else, and integers are crowded.
CONSTANTS = "other constants"

# Not every reference can do with all of these (exponentials, logarithms, probabilities): the first one that it gives a result for.
ALTERNATIVES = {
    "outliers": ("outliers", "outliers above", "outliers below", "outliers fraction"),
    "offset": ("offset", "offset moderate"),
    "large": ("large", "large moderate", "large positive", "large fraction"),
    CONSTANTS: (CONSTANTS, CONSTANTS + " spread"),
    **{name: (name, name + " positive", name + " fraction") for name in ("normal", "tiny", "rows", "ties", "uneven")},
}

# Those that come by surprise, between calls on the problem's own values. What judges by a sample of the inputs misses the first.
SURPRISES = ("outliers", "uneven", "negative", "offset", "large", CONSTANTS)

# Here values are equal, and which of them comes first is for nobody to say: no test of indices.
TIED_DISTRIBUTIONS = ("zeros", "rows", "ties")

BATCH_VARIATIONS = ("batch 1", "batch half", "batch less one", "batch few")
STRIDE_VARIATIONS = ("strides transposed", "strides sliced")


def _is_integer(tensor):
    return not tensors.is_inexact(tensor) and tensor.dtype != torch.bool


def _is_number(value):
    return isinstance(value, (int, float)) or (isinstance(value, torch.Tensor) and value.numel() == 1 and not value.is_complex())


class Asked(TorchFunctionMode):
    """What a reference asks of values while it runs: that decides which other ones it is given."""

    _FOR_NUMBERS = re.compile(r"nan\w+|is(nan|inf|finite|posinf|neginf)")
    _FOR_SIZE = re.compile(
        r"(clamp|clip)(_min|_max)?|f?(max|min)(imum)?|hardtanh|threshold|[gl][te]|(greater|less)(_equal)?|(hard|soft)shrink|"
        r"fmod|remainder|(huber|smooth_l1)_loss|softplus")

    _IGNORED_BY_DEFAULT = -100

    def __init__(self, inputs=()):
        super().__init__()
        self.inputs = list(tensors.tensors_of(inputs))
        self.for_numbers = False
        self.threshold = 0.0
        self.integers = {}  # by the number of an input: what its elements are compared with

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "").strip("_")
        self.for_numbers = self.for_numbers or self._FOR_NUMBERS.fullmatch(name) is not None
        if self._FOR_SIZE.fullmatch(name):
            numbers = [abs(float(value)) for value in (*args, *kwargs.values()) if _is_number(value)]
            self.threshold = max([self.threshold, *filter(math.isfinite, numbers)])
        special = [a for a in args if isinstance(a, int)] if name in ("eq", "ne") else [kwargs.get("ignore_index")]
        if special and special[0] not in (None, self._IGNORED_BY_DEFAULT):
            self.integers.update({index: special[0] for index, tensor in enumerate(self.inputs)
                                  if any(tensor is a for a in args) and _is_integer(tensor)})
        return function(*args, **kwargs)

    def alternatives(self, name):
        """Of a distribution, those that are tried first."""
        if name != "outliers":
            return []
        far = f" far {self.threshold:g}" if self.threshold > 50 else ""
        return ["outliers" + far + " nan"] * self.for_numbers + ["outliers" + far] * bool(far)


def _redistribute(tensor, name):
    kind, _, how = name.partition(" ")
    if tensor.is_complex():
        return torch.complex(*(_redistribute(part.contiguous(), name) for part in (tensor.real, tensor.imag)))
    if not tensor.dtype.is_floating_point:
        return tensor
    if kind == "outliers":
        return _with_outliers(tensor, name)
    normal = torch.randn(tensor.shape, dtype=torch.float32, device=tensor.device)
    if kind == "normal":
        value = normal
    elif kind == "large":
        value = normal * (10 if how == "moderate" else 50)
    elif kind == "offset":
        # Far enough that a variance from sums of squares goes wrong for certain, near enough for half precision's range.
        value = tensor.float() + (10 if how == "moderate" else 1000 if tensor.dtype.itemsize >= 4 else 100)
    elif kind == "tiny":
        value = normal * 1e-3
    elif kind == "negative":
        value = -normal.abs()
        if value.dim() > 1:
            # What stays on one side for long, near and far: gates that stay open.
            value *= (2.0 ** (torch.arange(len(value), device=value.device) % 4)).view(-1, *[1] * (value.dim() - 1))
    elif kind == "zeros":
        value = torch.zeros_like(normal)
    elif kind == "rows":
        value = normal[..., :1].expand(normal.shape) if normal.dim() else normal
    elif kind == "uneven":
        value = _uneven(normal)
    elif kind == "ties":
        value = (normal * 2).round()
    else:
        raise ValueError(kind)
    if how in ("positive", "fraction"):
        value = value.abs()
    if how == "fraction":
        value = value / (1 + value)
    return value.to(tensor.dtype)


def _uneven(normal):
    """Loud, then quiet, in half of the parts; in the others the other way round, whichever of the first two dimensions is time.
    And one part has one sign: what forgets its beginning, or counts on the one or the other, is found out."""
    if normal.dim() < 2:
        return normal
    first, second = (torch.arange(size, device=normal.device) < size // 2 for size in normal.shape[:2])
    loud = (first[:, None] ^ second).view(*normal.shape[:2], *[1] * (normal.dim() - 2))
    value = normal * torch.where(loud, 8.0, 1e-3)
    part = torch.randint(len(value), (1,), device=normal.device)
    value[part] = -value[part].abs()
    return value


def _with_outliers(tensor, name):
    """A few values, wherever, are far from all others, and one row is small: what judges by a sample of the inputs is found out."""
    if tensor.numel() == 0:
        return tensor
    value, device = tensor.contiguous().clone(), tensor.device
    if value.dim() > 1:
        rows = value.view(-1, value.shape[-1])
        rows[torch.randint(len(rows), (1,), device=device)] *= 1e-3
    count = min(16, max(1, value.numel() // 64))
    size = 100 + 100 * torch.rand(count, device=device)
    if "below" in name:
        size = -size
    elif "fraction" in name:
        size = (torch.randint(2, (count,), device=device) - 1e-3 * torch.rand(count, device=device)).abs()
    elif "above" not in name:
        size *= 2 * torch.randint(2, (-(-count // 2),), device=device).repeat_interleave(2)[:count] - 1
    if "far" in name:
        size[::2] *= float(name.split("far ")[1].split(" ")[0])
    if "nan" in name:
        size[::3] = math.nan
        size[1::3] *= math.inf
    value.view(-1)[_in_pairs(value, count)] = size.to(value.dtype)
    return value


def _in_pairs(tensor, count):
    """Places in a tensor, two each in one line along a dimension, mostly the last: there one is measured by the other."""
    places = torch.randint(tensor.numel(), (count,), device=tensor.device)
    for second in range(1, count, 2):
        dim = int(torch.randint(tensor.dim(), (1,))) if second % 4 == 3 else tensor.dim() - 1
        size, stride = tensor.shape[dim], tensor.stride(dim)
        first = places[second - 1]
        places[second] = first + (torch.randint(size, (1,), device=tensor.device)[0] - first // stride % size) * stride
    return places


# What a square matrix is by construction, in every draw, and a problem may rest on.
_STRUCTURES = (torch.triu, torch.tril, lambda matrix: ((matrix + matrix.mT) / 2).contiguous())
_FEW = 8  # values may be in order, or add up to one, by chance


def _in_order(rows):
    return rows.sort(dim=-1).values


def _shares(rows):
    """Probabilities, of which each row has one in all."""
    positive = rows.abs() + torch.finfo(rows.dtype).tiny
    return positive / positive.sum(-1, keepdim=True)


def _as_it_is(tensor, *_):
    return tensor


def _structure(tensor, another):
    """What gives other values the structure that two draws have."""
    draws = (tensor, another)
    if not tensor.dtype.is_floating_point or tensor.dim() == 0 or tensor.numel() < _FEW:
        return _as_it_is
    if tensor.shape[-1] >= _FEW:
        if all((each[..., 0] < each[..., -1]).all() and _holds(torch.equal, _in_order, each) for each in draws):
            return _in_order
        if not torch.equal(*draws) and all(_holds(torch.allclose, _shares, each) for each in draws):
            return _shares
    if tensor.dim() < 2 or tensor.shape[-1] != tensor.shape[-2] or torch.equal(*draws):
        return _as_it_is
    return next((structure for structure in _STRUCTURES
                 if all(torch.equal(each, structure(each)) for each in draws)), _as_it_is)


def _holds(same, structure, tensor):
    """The first row tells nearly always, in no time."""
    rows = tensor.reshape(-1, tensor.shape[-1])
    return all(same(each, structure(each)) for each in (rows[:1], rows))


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


def _with_some(tensor, integer):
    """An eighth of the elements are one that the reference treats in a way of its own (padding, what is to be ignored)."""
    if integer is None:
        return tensor
    return torch.where(torch.rand(tensor.shape, device=tensor.device) < 0.125, integer, tensor).to(tensor.dtype)


def _crowded(tensor, another):
    """In place of integers that every draw spreads evenly: three quarters are the one that is the furthest from zero. What
    counts on its share (of tokens, of a range) is found out. Those that differ by construction still do, and so do orders."""
    draws, last = (tensor, another), tensor.dim() - 1
    distinct = [dim for dim, size in enumerate(tensor.shape) if size > 1 and all(_differ(each, dim) for each in draws)]
    if tensor.numel() < 4 or distinct not in ([], [last]) or distinct == [0]:
        return tensor
    if distinct:  # in each row, as the best few are: then rows are alike
        crowd, shape = tensor.reshape(-1, tensor.shape[-1])[0], (*tensor.shape[:-1], 1)
    else:
        crowd, shape = tensor.flatten()[tensor.flatten().long().abs().argmax()], tensor.shape
    crowded = torch.where(torch.rand(shape, device=tensor.device) < 0.75, crowd, tensor)
    in_order = all((each.long().diff() >= 0).all() for each in draws)
    return crowded.sort(dim=-1).values if in_order else crowded


def _differ(tensor, dim):
    return bool((tensor.long().sort(dim=dim).values.diff(dim=dim) > 0).all())


def _with_other_constants(one, another, crowd):
    """A tree of inputs with other values where two draws have the same; floating-point tensors vary anyway."""
    if isinstance(one, torch.Tensor):
        if tensors.is_inexact(one):
            return one
        return _other_integers(one) if torch.equal(one, another) else crowd(one, another)
    if isinstance(one, (list, tuple)):
        items = [_with_other_constants(a, b, crowd) for a, b in zip(one, another)]
        return items if isinstance(one, list) else tuple(items)
    if isinstance(one, dict):
        return {key: _with_other_constants(value, another[key], crowd) for key, value in one.items()}
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


def _laid_out(values, like):
    """Values in memory as another tensor has them: other strides are a variation of their own."""
    stride = tuple(tensors.layout(like)[0]["t"][2])
    if values.stride() == stride:
        return values
    return torch.empty_strided(values.shape, stride, dtype=values.dtype, device=values.device).copy_(values)


class Fresh:
    """Inputs that differ from call to call, also where get_inputs() makes the same each time (it may set a seed of its own):
    results that are remembered must not be worth anything."""

    def __init__(self, problem, seed):
        self.problem = problem
        draws = [list(tensors.tensors_of(problem.make_inputs(s))) for s in (seed, seed + 1)]
        self.structures = [_structure(one, other) for one, other in zip(*draws)]
        self.fixed = [tensors.is_inexact(one) and torch.equal(one, other) for one, other in zip(*draws)]

    def __call__(self, seed):
        inputs = self.problem.make_inputs(seed)
        fixed = iter(self.fixed)
        # A little smaller: zeros, signs and the range of probabilities stay what they are.
        return tensors.map_tensors(inputs, lambda t: self._move(t) if next(fixed, False) else t)

    @staticmethod
    def _move(tensor):
        return _laid_out(tensor * (1 - 0.1 * torch.rand(tensor.shape, device=tensor.device)).to(tensor.dtype), tensor)


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


def make_inputs(problem, name, seed, structures=(), integers=None):
    """The inputs of a case, or None where the variation does not apply to this problem. `structures` are those of Fresh,
    `integers` those of Asked."""
    inputs = problem.make_inputs(seed)
    if name == "given":
        return inputs
    if name.split(" ")[0] in DISTRIBUTIONS:
        if not any(map(tensors.is_inexact, tensors.tensors_of(inputs))):
            return None
        rebuild = iter(structures)
        return tensors.map_tensors(inputs, lambda t: _laid_out(next(rebuild, _as_it_is)(_redistribute(t, name)), t))
    if name.startswith(CONSTANTS):
        if all(isinstance(item, torch.Tensor) and tensors.is_inexact(item) for item in inputs):
            return None
        another = problem.make_inputs(seed + 1)
        varied = _with_other_constants(inputs, another, _crowded if name == CONSTANTS else _as_it_is)
        index = itertools.count()
        varied = tensors.map_tensors(varied, lambda t: _with_some(t, (integers or {}).get(next(index))))
        return None if _same(inputs, varied) else varied
    if name in BATCH_VARIATIONS:
        return _rebatch(inputs, name)
    return _restride(inputs, name)
