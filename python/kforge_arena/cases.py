"""Inputs that a candidate is checked on: value distributions, other leading sizes, other strides."""

import itertools
import math
import random

import torch

from . import composed, integers, nearly, ordered, problem as problems, structures, tails, tensors, within

# Value distributions at the given shape. "given" is the problem's own; the others replace floating-point inputs.
DISTRIBUTIONS = ("given", "normal", "large", "offset", "tiny", "negative", "zeros", "rows", "ties", "outliers", "uneven")

# One more, in half precision only: what is more precise shows with outliers what it would show here.
PREVAILING = "prevailing"

# The problem's own values, but a shorter mantissa rounds all of them to the same side. Where errors cancel out (in a long sum of what
# is alike), a lower precision shows nowhere else. Where a line of them becomes a result or a few, its values are alike as well: then so
# are the errors of what is computed from each of them (scaled, its exponential), whichever way that is rounded.
TAILS = "tails"
TAILS_ALIKE = TAILS + " alike"
TAILS_OF_FACTORS = TAILS + " of factors"

# In the range of the problem's own values, but elsewhere in it: what looks at the ends of the range only, or counts on how values are
# spread (memory that fades, room for an even share), is found out.
WITHIN = "within"

# The problem's own values, but a few lines of them, whole: what is padding (zeros), or stays at one end of the range for long, is
# something else than single values.
LINES = "lines"

# The problem's own values in another order, and where two inputs are of one kind, one of them nearly the other: what counts on values
# that have nothing to do with each other (the best are not all in one place, no two points are close) is found out.
ORDERED = "ordered"

# The problem's own values, brought together by lot, differently for each number and in each session: what is enough for values, or
# precise for points, that have nothing to do with each other is found out.
COMPOSED = "composed"
QUIET = f"{COMPOSED} 2"  # may be next to nothing, in parts

# Of what is tiny, nothing is near the bounds that are usual.
APART = "apart"

# The inputs of the call before, whatever these were, but for a few numbers.
NEARLY = "nearly"

# The problem's own values, but what get_inputs() makes the same each time is something else, and integers are crowded.
CONSTANTS = "other constants"

# Both at once: other masks, lengths and indices, and other floating-point values.
COMBINED = "combined"

# Not every reference can do with all of these (exponentials, logarithms, probabilities): the first one that it gives a result for.
ALTERNATIVES = {
    "outliers": ("outliers", "outliers above", "outliers below", "outliers fraction ends", "outliers fraction"),
    "offset": ("offset either", "offset", "offset moderate"),
    ORDERED: (ORDERED + " pairs", ORDERED),
    COMBINED: tuple(f"{COMBINED} {values} {kind}".strip() for kind in (integers.COLUMNS, "", "present") for values in ("any", "normal")),
    **{f"{COMPOSED} {number}": (f"{COMPOSED} {number}", f"{COMPOSED} {number} {composed.MODERATE}") for number in composed.NUMBERS},
    PREVAILING: (PREVAILING, PREVAILING + " moderate"),
    "negative": ("negative", "negative moderate"),
    "large": ("large", "large moderate", "large positive", "large fraction"),
    CONSTANTS: tuple(f"{CONSTANTS} {kind}".strip() for kind in integers.KINDS),
    "ties": ("ties ends rows", "ties ends", "ties", "ties positive", "ties fraction"),
    **{name: (name, name + " positive", name + " fraction") for name in ("normal", "uneven")},
    "rows": ("rows", "rows positive", "rows near one", "rows fraction"),  # products neither vanish nor overflow next to one
    "tiny": tuple(f"tiny{extent}{sign}" for extent in ("", " moderate") for sign in ("", " positive", " fraction")),
}

# Here much the same, or far less than there is already, is added again and again, and rounded to the same side each time.
REPETITIVE_DISTRIBUTIONS = ("zeros", "rows", "ties", "tiny", "uneven", "negative", TAILS, WITHIN, LINES, ORDERED, COMPOSED)

# Here whole rows, or all there is, are the same number.
UNIFORM_DISTRIBUTIONS = ("zeros", "rows", "ties")

# Half precision may not have the range for these.
FAR = ("large", "offset", "outliers", "negative", "ties ends", PREVAILING)

_FAR_FROM_USUAL = ("large", "offset")
_TIMES = 8
_MANY = 4096  # values, among which a few that are far from all others make no difference

BATCH_VARIATIONS = ("batch 1", "batch half", "batch less one", "batch few")
STRIDE_VARIATIONS = ("strides transposed", "strides sliced")


def is_integer(tensor):
    return not tensors.is_inexact(tensor) and tensor.dtype != torch.bool


def _redistribute(tensor, name):
    kind, _, how = name.partition(" ")
    if tensor.is_complex():
        return torch.complex(*(_redistribute(part.contiguous(), name) for part in (tensor.real, tensor.imag)))
    if not tensor.dtype.is_floating_point or not tensor.numel():
        return tensor
    if kind == "outliers":
        return _with_outliers(tensor, name)
    if kind == PREVAILING:
        return _with_one_above_all(tensor, moderate=how == "moderate")
    if kind == WITHIN:
        return within.crowded(tensor)
    if kind == LINES:
        return within.with_other_lines(tensor)
    if kind == ORDERED:
        return ordered.lines(tensor)
    normal = torch.randn(tensor.shape, dtype=torch.float32, device=tensor.device)
    if kind == "normal":
        value = normal
    elif kind == "large":
        value = normal * (10 if how == "moderate" else _beyond(tensor, 50))
    elif kind == "offset":
        # Far enough that a variance from sums of squares goes wrong for certain, near enough for half precision's range.
        far = 10 if how == "moderate" else _beyond(tensor, 1000 if tensor.dtype.itemsize >= 4 else 100)
        value = tensor.float() + (-far if how == "below" else far)
    elif kind == "tiny":
        value = normal * 1e-3 if "moderate" in how else _tiny(normal, how == APART)
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
        if "ends" in how:
            value = _with_far_ends(value)
        elif how:  # of a logarithm, for one
            value = value.abs().clamp(min=1e-6)
    else:
        raise ValueError(kind)
    if how == "near one":
        value = 1 + 1e-3 * torch.tanh(value)
    if "positive" in how or "fraction" in how:
        value = value.abs()
    if "fraction" in how:
        value = value / (1 + value)
    return value.to(tensor.dtype)


def _composed(inputs, name, weights):
    _, number, *how = name.split(" ")
    return tensors.with_values(inputs, composed.bring_together(list(tensors.tensors_of(inputs)), int(number), "".join(how), weights))


def _beyond(tensor, usual):
    """Some times as far as the problem's own values, where these are large: as far as its type goes."""
    largest = tensor.float().abs().nan_to_num(0, 0, 0).max().item()
    return max(usual, min(_TIMES * largest, torch.finfo(tensor.dtype).max / 64))


def _tiny(normal, apart):
    """From small parts to such as are less than any bound by which a division by zero is avoided, evenly by their magnitude: what leaves
    that out, or has another, is found out. Squares are numbers still. `apart`: none in between, where the bounds themselves are."""
    several = [dim for dim, size in enumerate(normal.shape) if size > 1]
    if not several:
        return normal * 1e-3
    # Whatever is divided by a norm is one of the first dimension, or else nobody knows along which.
    dim = 0 if several[0] == 0 else several[int(torch.randint(len(several), (1,)))]
    count = normal.shape[dim]
    step = torch.randperm(count, device=normal.device) + torch.rand(count, device=normal.device) - 0.5
    share = (step / (count - 1)).clamp(0, 1)  # both ends are met
    scale = 10.0 ** -(torch.where(share < 0.5, 3 + 4 * share, 15.0) if apart else 3 + 12 * share)
    return normal * scale.view([-1 if each == dim else 1 for each in range(normal.dim())])


def _negative(normal, moderate):
    """On one side for long, near and far: gates that stay open, and in one part of four exponentials that are next to nothing."""
    value = -normal.abs()
    if value.dim() > 1:
        factor = (2.0 ** (torch.arange(len(value), device=value.device) % 4)).view(-1, *[1] * (value.dim() - 1))
        # From where an exponential is still added to one to where it is next to nothing.
        far = 64.0 ** torch.rand(factor.shape, device=value.device)
        far = torch.where(torch.rand(factor.shape, device=value.device) < 0.5, 64.0, far)
        value = factor * value if moderate else torch.where(factor == 8, far * (value - 1), factor * value)
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
    size = _beyond(tensor, 100) * (1 + torch.rand(count, device=device))
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
        if "alone" not in name:
            size[1::3] *= math.inf
    value.view(-1)[places] = size.to(value.dtype)
    return value


def _is_half(tensor):
    return tensor.dtype.is_floating_point and tensor.dtype.itemsize < 4


def _with_one_above_all(tensor, moderate):
    """One value, wherever, is more than all others together (moderate: squared). In half precision a few that are merely far are lost
    in a long sum, and so is the difference between all values and a part of them."""
    value = tensor.contiguous().clone()
    flat, wide = value.view(-1), tensor.float()
    place = torch.randint(len(flat), (1,), device=tensor.device)
    size = 8 * wide.norm() if moderate else 4 * wide.abs().sum()
    size = size.clamp(max=torch.finfo(tensor.dtype).max / 4)
    flat[place] = torch.where(flat[place] < 0, -size, size).to(tensor.dtype)
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


def _with_other_integers(one, another, kind, retreat, ranges):
    """Inputs with other whole numbers and truth values in their tensors; floating-point ones vary anyway."""
    draws = [[t for t in tensors.tensors_of(draw) if not tensors.is_inexact(t)] for draw in (one, another)]
    ends = [ranges.get(index) for index, tensor in enumerate(tensors.tensors_of(one)) if not tensors.is_inexact(tensor)]
    sizes = {size for tensor in tensors.tensors_of(one) for size in tensor.shape}
    varied = [integers.vary(a, b, kind, sizes, retreat, each) for a, b, each in zip(*draws, ends)]
    varied = iter(integers.put_in_order(varied, *draws))
    return tensors.map_tensors(one, lambda t: t if tensors.is_inexact(t) else next(varied))


def _with_peaks(inputs, ranges):
    """Where whole numbers are the places of a dimension of other inputs (labels, of scores), half of these are the largest there: so are
    those of whoever has learnt something."""
    values = list(tensors.tensors_of(inputs))
    for index, (low, high) in ranges.items():
        named = values[index].long()  # or marked as none
        places = named.clamp(low, high)
        for other, scores in enumerate(values):
            dims = [dim for dim, size in enumerate(scores.shape) if size == high + 1 and [*scores.shape[:dim], *scores.shape[dim + 1:]] == [*places.shape]]
            if low < 0 or not dims or not scores.dtype.is_floating_point:
                continue
            places_there = places.unsqueeze(dims[0])
            peak = scores.amax(dims[0], keepdim=True) + scores.abs().amax() / 4
            chosen = (torch.rand(places_there.shape, device=scores.device) < 0.5) & (named == places).unsqueeze(dims[0])
            values[other] = scores.scatter(dims[0], places_there, torch.where(chosen, peak, scores.gather(dims[0], places_there)))
    return tensors.with_values(inputs, values)


def with_special(inputs, special, concerns, rows):
    """Inputs with some of the numbers that Asked has found, where they are of a kind."""
    index = itertools.count()

    def put(tensor):
        numbers = (special or {}).get(next(index))
        return integers.with_some(tensor, numbers, rows) if numbers and concerns(tensor) else tensor

    return tensors.map_tensors(inputs, put)


def _with_other_numbers(one, another, kind):
    """A tree of inputs with other numbers where two draws have the same."""
    if isinstance(one, (list, tuple)):
        items = [_with_other_numbers(a, b, kind) for a, b in zip(one, another)]
        return items if isinstance(one, list) else tuple(items)
    if isinstance(one, dict):
        return {key: _with_other_numbers(value, another[key], kind) for key, value in one.items()}
    if not isinstance(one, float) or one != another:
        return one  # whole numbers may be sizes
    return 0.75 * one or (0.0 if kind in integers.COMPLETE else 0.25)  # smaller, so that a probability stays one


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


def with_retreats(kinds):
    """Alternatives, of which each of the other constants is followed by others that change less."""
    return [f"{kind} {retreat}".strip() for kind in kinds for retreat in (integers.RETREATS if kind.startswith(CONSTANTS) else ("",))]


def _how(name):
    """Of other constants: which of integers.KINDS, and of its RETREATS."""
    rest = name.removeprefix(CONSTANTS).strip()
    retreat = next(each for each in (integers.SINGLE_KEPT, integers.KEPT, "") if rest.endswith(each))
    return rest.removesuffix(retreat).strip(), retreat


def retreats(name):
    return name.startswith(CONSTANTS) and _how(name)[1] != ""


def seed_of(name, seeds):
    return random.Random(f"{seeds['cases']} {name}").getrandbits(62)


class Fresh:
    """Inputs that differ from call to call, also where get_inputs() makes the same each time (it may set a seed of its own):
    results that are remembered must not be worth anything."""

    def __init__(self, problem, seed):
        self.problem = problem
        draws = [list(tensors.tensors_of(problem.make_inputs(s))) for s in (seed, seed + 1)]
        self.fixed = [tensors.is_inexact(one) and torch.equal(one, other) for one, other in zip(*draws)]
        others = self._unseeded(seed + 1, draws[1]) if any(self.fixed) else draws[1]
        self.structures = structures.Structures(draws[0], others)
        self.nearly = nearly.Nearly(*draws)

    def nearly_the_same(self, inputs, seed):
        return _rebuilt(self.nearly(inputs, lambda: self(seed)), inputs, self.structures)

    def _unseeded(self, seed, draw):
        """Where it is a seed that makes all draws the same, what they have by construction shows in another one without it."""
        try:
            others = list(tensors.tensors_of(self.problem.make_inputs(seed, own_seeds=False)))
        except problems.ProblemError:
            return draw
        return others if len(others) == len(draw) else draw

    def __call__(self, seed):
        inputs = self.problem.make_inputs(seed)
        if not any(self.fixed):
            return inputs

        def move(tensor):
            # A little smaller: zeros, signs and the range of probabilities stay what they are.
            factor = 1 - 0.1 * torch.rand(tensor.shape, device=tensor.device)
            return tensor * factor.to(tensor.dtype)

        known = iter(self.fixed)
        return _rebuilt(tensors.map_tensors(inputs, lambda t: move(t) if next(known, False) else t), inputs, self.structures)


def _rebuilt(values, inputs, found):
    """Other values for inputs, with what these are by construction, and in memory as they are."""
    given, values = (list(tensors.tensors_of(tree)) for tree in (inputs, values))
    changed = [value is not tensor for value, tensor in zip(values, given)]
    if found and len(found.of_each) == len(values):
        values = found.given_to(values, changed)
    return tensors.with_values(inputs, [_laid_out(value, tensor) if other else tensor for value, tensor, other in zip(values, given, changed)])


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


def with_other_numbers(problem, inputs, seed):
    """Inputs with other fractions among the arguments (bounds, what is added to a divisor); None where there are no such."""
    if not any(isinstance(leaf, float) for leaf in _leaves(inputs)):
        return None
    other = _with_other_numbers(inputs, problem.make_inputs(seed), "present")
    return None if all(a is b for a, b in zip(_leaves(inputs), _leaves(other))) else other


def _leaves(tree):
    if isinstance(tree, (list, tuple, dict)):
        for item in tree.values() if isinstance(tree, dict) else tree:
            yield from _leaves(item)
    else:
        yield tree


def make_inputs(problem, name, seed, found=None, special=None, other_numbers=False, weights=(), ranges=None):
    """The inputs of a case, or None where the variation does not apply to this problem. `found` are the structures of Fresh,
    `special` what Asked has found; `other_numbers`: whether fractions among the arguments may be others in other distributions;
    `weights` are those of the model that they are for, `ranges` what was heard of whole numbers."""
    inputs, ranges = problem.make_inputs(seed), ranges or {}
    if name == "given":
        return inputs
    kind = name.split(" ")[0]
    if kind in (*DISTRIBUTIONS, PREVAILING, WITHIN, LINES, ORDERED, COMPOSED):
        if not any(map(tensors.is_inexact, tensors.tensors_of(inputs))):
            return None
        if kind == PREVAILING and not any(map(_is_half, tensors.tensors_of(inputs))):
            return None
        how = random.Random(seed).choice(("offset", "offset below")) if name == "offset either" else name  # the same for all inputs
        values = _composed(inputs, name, weights) if kind == COMPOSED else tensors.map_tensors(inputs, lambda t: _redistribute(t, how))
        if name.endswith("pairs"):
            values = ordered.pair_up(values) or values
        if name.startswith("ties"):
            values = with_special(values, special, tensors.is_inexact, "rows" in name)
        values = _rebuilt(values, inputs, found)
        return (with_other_numbers(problem, values, seed + 1) if other_numbers else None) or values
    if kind == COMBINED:
        _, values, *rest = name.split(" ")
        values = random.Random(seed).choice(_FAR_FROM_USUAL) if values == "any" else values
        others = make_inputs(problem, " ".join((CONSTANTS, *rest)), seed, found, special, ranges=ranges)
        if others is None or not any(map(tensors.is_inexact, tensors.tensors_of(others))):
            return None
        values = tensors.map_tensors(others, lambda t: _redistribute(t, values))
        return _rebuilt(_with_peaks(values, ranges), others, found)
    if kind == TAILS:
        alike = {TAILS_ALIKE: tails.begin_alike, TAILS_OF_FACTORS: tails.go_on_alike}.get(name)
        values = tensors.map_tensors(inputs, lambda tensor: tails.with_small_tails(tensor, alike))
        return None if _same(inputs, values) else _rebuilt(values, inputs, found)
    if name.startswith(CONSTANTS):
        if all(isinstance(item, torch.Tensor) and tensors.is_inexact(item) for item in inputs):
            return None
        another = problem.make_inputs(seed + 1)
        kind, retreat = _how(name)
        varied = _with_other_numbers(_with_other_integers(inputs, another, kind, retreat, ranges), another, kind)
        varied = with_special(varied, special, is_integer, kind not in integers.COMPLETE)
        return None if _same(inputs, varied) else varied
    if name in BATCH_VARIATIONS:
        return _rebatch(inputs, name)
    return _restride(inputs, name)
