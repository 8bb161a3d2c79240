"""Inputs that a candidate is checked on: value distributions, other leading sizes, other strides."""

import itertools
import random

import torch

from . import cells, composed, integers, nearly, ordered, problem as problems, structures, tails, tensors
from .distributions import ACROSS, DISTRIBUTIONS, LINES, ORDERED, PREVAILING, WITHIN, is_half, redistribute

# The problem's own values, but a shorter mantissa rounds all of them to the same side. Where errors cancel out (in a long sum of what
# is alike), a lower precision shows nowhere else. Where a line of them becomes a result or a few, its values are alike as well: then so
# are the errors of what is computed from each of them (scaled, its exponential), whichever way that is rounded.
TAILS = "tails"
TAILS_ALIKE = TAILS + " alike"
TAILS_OF_FACTORS = TAILS + " of factors"

# The problem's own values, brought together by lot, differently for each number and in each session: what is enough for values, or
# precise for points, that have nothing to do with each other is found out.
COMPOSED = "composed"
QUIET = f"{COMPOSED} 2"  # may be next to nothing, in parts

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
BATCH_VARIATIONS = ("batch 1", "batch half", "batch less one", "batch few")
STRIDE_VARIATIONS = ("strides transposed", "strides sliced")


def is_integer(tensor):
    return not tensors.is_inexact(tensor) and tensor.dtype != torch.bool


def _composed(inputs, name, weights):
    _, number, *how = name.split(" ")
    return tensors.with_values(inputs, composed.bring_together(list(tensors.tensors_of(inputs)), int(number), "".join(how), weights))


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


def _with_what_holds(one, another, varied, marked, found):
    """Other whole numbers among which there are some that mean something: still in order, and cells once, where two draws are so."""
    trees = [list(tensors.tensors_of(tree)) for tree in (one, another, varied, marked)]
    values = [integers.in_order_again(*draws) if draws[3] is not draws[2] else draws[3] for draws in zip(*trees)]
    return tensors.with_values(marked, found.with_cells_of(trees[0], values) if found else values)


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
    laid_out = torch.empty_strided(values.shape, stride, dtype=values.dtype, device=values.device)
    elements = tensors.collapsed(laid_out)
    elements.copy_(values[tuple(slice(size) for size in elements.shape)])
    return laid_out


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


def when_it_comes_again(kind):
    """A case and its second coming are not the same throughout."""
    return f"{kind} {ACROSS}" if kind.split(" ")[0] == "tiny" else kind


def seed_of(name, seeds):
    return random.Random(f"{seeds['cases']} {name}").getrandbits(62)


class Fresh:
    """Inputs that differ from call to call, also where get_inputs() makes the same each time (it may set a seed of its own):
    results that are remembered must not be worth anything."""

    def __init__(self, problem, seed):
        self.problem = problem
        draws = [list(tensors.tensors_of(problem.make_inputs(s))) for s in (seed, seed + 1)]
        self.fixed = [tensors.is_inexact(one) and tensors.same_bytes(one, other) for one, other in zip(*draws)]  # numbers or not
        others = self._unseeded(seed + 1, draws[1]) if any(self.fixed) else draws[1]
        self.structures = structures.Structures(draws[0], others)
        self.whole = [[tensor if is_integer(tensor) else None for tensor in draw] for draw in (draws[0], others)]
        self.nearly = nearly.Nearly(*draws)

    def hear(self, asked, ranges):
        """What the reference has asked, and from which ranges whole numbers are drawn."""
        if asked.puts:
            self.structures.cells = cells.Cells(*self.whole, by_themselves=ranges)
        self.whole = []

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
        values = found.given_to(found.with_cells_of(given, values), changed)
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
    return tensors.map_tensors(inputs, lambda t: _first_rows(t, wanted) if t.dim() >= 1 and t.shape[0] == size else t)


def _first_rows(tensor, wanted):
    rows = tensor[:wanted].contiguous()
    if not is_integer(tensor) or not torch.equal(tensor.sort(dim=0).values, _places_along(tensor)):
        return rows
    # Some numbers of an order name places that are gone: what is left of it is in which order they come.
    return torch.empty_like(rows).scatter_(0, rows.argsort(dim=0), _places_along(rows))


def _places_along(tensor):
    """0, 1, 2, ... along the first dimension."""
    places = torch.arange(len(tensor), device=tensor.device).to(tensor.dtype)
    return places.view(-1, *[1] * (tensor.dim() - 1)).expand_as(tensor)


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
        if kind == PREVAILING and not any(map(is_half, tensors.tensors_of(inputs))):
            return None
        how = random.Random(seed).choice(("offset", "offset below")) if name == "offset either" else name  # the same for all inputs
        values = _composed(inputs, name, weights) if kind == COMPOSED else tensors.map_tensors(inputs, lambda t: redistribute(t, how))
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
        values = tensors.map_tensors(others, lambda t: redistribute(t, values))
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
        marked = with_special(varied, special, is_integer, kind not in integers.COMPLETE)
        varied = _with_what_holds(inputs, another, varied, marked, found)
        return None if _same(inputs, varied) else varied
    if name in BATCH_VARIATIONS:
        return _rebatch(inputs, name)
    return _restride(inputs, name)
