"""Inputs that a candidate is checked on: value distributions, other leading sizes, other strides."""

import itertools
import math
import re

import torch
from torch.overrides import TorchFunctionMode

from . import integers, structures, tensors

# Value distributions at the given shape. "given" is the problem's own; the others replace floating-point inputs.
DISTRIBUTIONS = ("given", "normal", "large", "offset", "tiny", "negative", "zeros", "rows", "ties", "outliers", "uneven")

# The problem's own values, but what get_inputs() makes the same each time is something else, and integers are crowded.
CONSTANTS = "other constants"
_KINDS_OF_CONSTANTS = ("", "present", "spread")  # see integers.py

# Not every reference can do with all of these (exponentials, logarithms, probabilities): the first one that it gives a result for.
ALTERNATIVES = {
    "outliers": ("outliers", "outliers above", "outliers below", "outliers fraction ends", "outliers fraction"),
    "offset": ("offset", "offset moderate"),
    "negative": ("negative", "negative moderate"),
    "large": ("large", "large moderate", "large positive", "large fraction"),
    CONSTANTS: tuple(f"{CONSTANTS} {kind}".strip() for kind in _KINDS_OF_CONSTANTS),
    "ties": ("ties ends", "ties", "ties positive", "ties fraction"),
    **{name: (name, name + " positive", name + " fraction") for name in ("normal", "tiny", "rows", "uneven")},
}

# Those that come by surprise, between calls on the problem's own values. What judges by a sample of the inputs misses the first.
SURPRISES = ("outliers", "uneven", "negative", "offset", "large", CONSTANTS)

# Here values are equal, and which of them comes first is for nobody to say: no test of indices. Nor does anybody know on which
# side of their mean they are; what they compare to otherwise is no question.
TIED_DISTRIBUTIONS = ("zeros", "rows", "ties")
_COMPARABLE = ("zeros", "ties")

# Here much the same, or far less than there is already, is added again and again, and rounded to the same side each time.
REPETITIVE_DISTRIBUTIONS = ("rows", "ties", "uneven", "negative")

# Half precision may not have the range for these.
FAR = ("large", "offset", "outliers", "negative", "ties ends")

_MANY = 4096  # values, among which a few that are far from all others make no difference

BATCH_VARIATIONS = ("batch 1", "batch half", "batch less one", "batch few")
STRIDE_VARIATIONS = ("strides transposed", "strides sliced")


def _is_integer(tensor):
    return not tensors.is_inexact(tensor) and tensor.dtype != torch.bool


def _any_integer(result):
    return any(map(_is_integer, tensors.tensors_of(result)))


def _is_number(value):
    return isinstance(value, (int, float)) or (isinstance(value, torch.Tensor) and value.numel() == 1 and not value.is_complex())


class Asked(TorchFunctionMode):
    """What a reference asks of values while it runs: that decides which other ones it is given."""

    _FOR_NUMBERS = re.compile(r"nan\w+|is(nan|inf|finite|posinf|neginf)")
    _FOR_SIZE = re.compile(
        r"(clamp|clip)(_min|_max)?|f?(max|min)(imum)?|hardtanh|threshold|[gl][te]|(greater|less)(_equal)?|(hard|soft)shrink|"
        r"fmod|remainder|(huber|smooth_l1)_loss|softplus")

    _ATTENTION = re.compile(r"scaled_dot_product_attention|\w*multi_head_attention\w*|transformer_encoder\w*")

    _VANISHING = re.compile(r"softm(ax|in)|exp2?|sigmoid|softplus|silu|gelu|mish")

    _BY_COMPARISON = ("bucketize", "searchsorted", "count_nonzero")

    _IGNORED_BY_DEFAULT = -100

    def __init__(self, inputs=()):
        super().__init__()
        self.inputs = list(tensors.tensors_of(inputs))
        self.for_numbers = False
        self.threshold = 0.0
        self.integers = {}  # by the number of an input: what its elements are compared with
        self.attends = False  # whether it leaves attention to the library, which alone gives zeros where all is masked
        self.vanishes = False  # whether what is far below others may become zero: then nobody can tell which is the largest of it
        self.hangs = False  # whether whole numbers follow from others by a thread: the index of one, or what it is rounded to

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = getattr(function, "__name__", "").strip("_")
        self.for_numbers = self.for_numbers or self._FOR_NUMBERS.fullmatch(name) is not None
        self.attends = self.attends or self._ATTENTION.fullmatch(name) is not None
        self.vanishes = self.vanishes or self._VANISHING.fullmatch(name) is not None
        if self._FOR_SIZE.fullmatch(name):
            numbers = [abs(float(value)) for value in (*args, *kwargs.values()) if _is_number(value)]
            self.threshold = max([self.threshold, *filter(math.isfinite, numbers)])
        special = [a for a in args if isinstance(a, int)] if name in ("eq", "ne") else [kwargs.get("ignore_index")]
        if special and special[0] not in (None, self._IGNORED_BY_DEFAULT):
            self.integers.update({index: special[0] for index, tensor in enumerate(self.inputs)
                                  if any(tensor is a for a in args) and _is_integer(tensor)})
        result = function(*args, **kwargs)
        self.hangs = self.hangs or (name not in self._BY_COMPARISON and _any_integer(result)
                                    and any(map(tensors.is_inexact, tensors.tensors_of(args))))
        return result

    def alternatives(self, name):
        """Of a distribution, those that are tried first."""
        if name in ("large", "offset") and self.hangs and self.vanishes:
            return [name + " moderate"]
        if name == CONSTANTS and self.attends:
            return [name + " present"]
        if name != "outliers":
            return []
        far = f" far {self.threshold:g}" if self.threshold > 50 else ""
        return ["outliers" + far + " nan"] * self.for_numbers + ["outliers" + far] * bool(far)

    def defines(self, name):
        """Whether whole numbers and truth values among the outputs mean something for a distribution."""
        kind = name.split(" ")[0]
        return kind not in TIED_DISTRIBUTIONS or (kind in _COMPARABLE and not self.hangs)


def _redistribute(tensor, name):
    kind, _, how = name.partition(" ")
    if tensor.is_complex():
        return torch.complex(*(_redistribute(part.contiguous(), name) for part in (tensor.real, tensor.imag)))
    if not tensor.dtype.is_floating_point or not tensor.numel():
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
        value = _negative(normal, moderate=how == "moderate")
    elif kind == "zeros":
        value = torch.zeros_like(normal)
    elif kind == "rows":
        value = normal[..., :1].expand(normal.shape) if normal.dim() else normal
    elif kind == "uneven":
        value = _uneven(normal)
    elif kind == "ties":
        value = (normal * 2).round()
        if how == "ends":
            value = _with_far_ends(value)
        elif how:  # of a logarithm, for one
            value = value.abs().clamp(min=1e-6)
    else:
        raise ValueError(kind)
    if how in ("positive", "fraction"):
        value = value.abs()
    if how == "fraction":
        value = value / (1 + value)
    return value.to(tensor.dtype)


def _negative(normal, moderate):
    """On one side for long, near and far: gates that stay open, and in one part of four exponentials that are next to nothing."""
    value = -normal.abs()
    if value.dim() > 1:
        factor = (2.0 ** (torch.arange(len(value), device=value.device) % 4)).view(-1, *[1] * (value.dim() - 1))
        value = factor * value if moderate else torch.where(factor == 8, 64 * (value - 1), factor * value)
    return value


def _uneven(normal):
    """Loud, then quiet, in half of the parts; in the others the other way round, whichever of the first two dimensions is time.
    And one part has one sign: what forgets its beginning, or counts on the one or the other, is found out."""
    if normal.dim() < 2:
        return normal
    first, second = (torch.arange(size, device=normal.device) < size // 2 for size in normal.shape[:2])
    loud = (first[:, None] ^ second).view(*normal.shape[:2], *[1] * (normal.dim() - 2))
    # Not so quiet that one after the other is lost in the sum of what was loud: that would happen to honest sums as well.
    value = normal * torch.where(loud, 8.0, 0.25)
    part = torch.randint(len(value), (1,), device=normal.device)
    value[part] = -value[part].abs()
    return value


def _with_far_ends(tensor):
    """Where loops begin and end, and where two of them meet, values are large: one of many that is left out there, or added twice,
    shows in no sum otherwise. What judges by a sample may meet them, so these are no outliers of the other kind."""
    size = tensor.numel()
    if size >= _MANY:
        ends = torch.tensor([0, size // 2 - 1, size // 2, size - 1], device=tensor.device)
        tensor.view(-1)[ends] = (200 + 1800 * torch.rand(4, device=tensor.device)).round() * tensor.view(-1)[ends].sign().add(0.5).sign()
    return tensor


def _with_outliers(tensor, name):
    """A few values, wherever, are far from all others, and one row is small: what judges by a sample of the inputs is found out."""
    value, device = tensor.contiguous().clone(), tensor.device
    count = min(16, max(1, value.numel() // 64))
    places = _in_pairs(value, count)
    if value.dim() > 1:
        rows = value.view(-1, value.shape[-1])
        some = torch.randint(len(rows), (64,), device=device)
        # One without outliers, if there is one: what is added to their sum would be rounded to the same side each time.
        rows[some[(~torch.isin(some, places // value.shape[-1])).int().argmax()]] *= 1e-3
    size = 100 + 100 * torch.rand(count, device=device)
    if "below" in name:
        size = -size
    elif "fraction" in name:
        within = torch.randint(2, (count,), device=device) if "ends" in name else 1
        size = (torch.randint(2, (count,), device=device) - 1e-3 * within * torch.rand(count, device=device)).abs()
    elif "above" not in name:
        size *= 2 * torch.randint(2, (-(-count // 2),), device=device).repeat_interleave(2)[:count] - 1
    if "far" in name:
        size[::2] *= float(name.split("far ")[1].split(" ")[0])
    if "nan" in name:
        size[::3] = math.nan
        size[1::3] *= math.inf
    value.view(-1)[places] = size.to(value.dtype)
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


def _with_other_constants(one, another, kind):
    """A tree of inputs with other values where two draws have the same; floating-point tensors vary anyway."""
    if isinstance(one, torch.Tensor):
        return one if tensors.is_inexact(one) else integers.vary(one, another, kind)
    if isinstance(one, (list, tuple)):
        items = [_with_other_constants(a, b, kind) for a, b in zip(one, another)]
        return items if isinstance(one, list) else tuple(items)
    if isinstance(one, dict):
        return {key: _with_other_constants(value, another[key], kind) for key, value in one.items()}
    if not isinstance(one, float) or one != another:
        return one  # whole numbers may be sizes
    return 0.75 * one or (0.0 if kind else 0.25)  # smaller, so that a probability stays one


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
        self.structures = [structures.find(one, other) for one, other in zip(*draws)]
        self.fixed = [tensors.is_inexact(one) and torch.equal(one, other) for one, other in zip(*draws)]

    def __call__(self, seed):
        inputs = self.problem.make_inputs(seed)
        known = iter(zip(self.fixed, self.structures))

        def move(tensor):
            fixed, structure = next(known, (False, None))
            if not fixed:
                return tensor
            # A little smaller: zeros, signs and the range of probabilities stay what they are.
            factor = 1 - 0.1 * torch.rand(tensor.shape, device=tensor.device)
            return _laid_out(structure(tensor * factor.to(tensor.dtype)), tensor)

        return tensors.map_tensors(inputs, move)


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


def make_inputs(problem, name, seed, found=(), special=None):
    """The inputs of a case, or None where the variation does not apply to this problem. `found` are the structures of Fresh,
    `special` the integers of Asked."""
    inputs = problem.make_inputs(seed)
    if name == "given":
        return inputs
    if name.split(" ")[0] in DISTRIBUTIONS:
        if not any(map(tensors.is_inexact, tensors.tensors_of(inputs))):
            return None
        rebuild = iter(found)
        return tensors.map_tensors(inputs, lambda t: _laid_out(next(rebuild, structures.as_it_is)(_redistribute(t, name)), t))
    if name.startswith(CONSTANTS):
        if all(isinstance(item, torch.Tensor) and tensors.is_inexact(item) for item in inputs):
            return None
        another = problem.make_inputs(seed + 1)
        varied = _with_other_constants(inputs, another, name.removeprefix(CONSTANTS).strip())
        index = itertools.count()
        varied = tensors.map_tensors(varied, lambda t: integers.with_some(t, (special or {}).get(next(index))))
        return None if _same(inputs, varied) else varied
    if name in BATCH_VARIATIONS:
        return _rebatch(inputs, name)
    return _restride(inputs, name)
