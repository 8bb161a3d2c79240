"""Comparing a candidate's outputs with the reference: numbers for the verdict."""

import math
import sys

import torch

from . import chosen, fills, spread, tensors, wording

# KernelBench's tolerance by dtype of the output; under the policy `mixed` the half-precision one holds.
_TOLERANCE = {torch.float64: 1e-4, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 1e-2}
# A stable algorithm gives the exact result of slightly different inputs. How different, in units of their last
# place: what the rounding errors of a long sum in any order add up to.
_STABLE_MOVE = 256
_STABLE_MOVE_MIXED = 1 << 16  # two last places of bfloat16
_TIMES_REFERENCE = {"strict": 4, "accurate": 4}  # by the policy: of two ways that are equally good one is some times as wrong
_STABLE_MOVE_HALF = 4  # sums are in single precision there, and rounded a few times: further than this every result would be stable
_LESS_TYPICAL = 3
_FEW = 64  # values
_ENOUGH = 1 << 16  # of them, to tell what most are like
_MOST_LUCK = 1e-3  # of the largest value, for all that
# Times what the order of a sum may come to: what a result moves by when what it adds up moves by its last place; of a few values when the
# inputs do.
_LUCK = 16
A_PART, _STEADY = 1 / 8, 2  # of a move, and how many times more than that part of it may come of this where nothing jumps
# Of a function that is next to zero for once, the last places of what it gives otherwise may be wrong: 1 - 2 / (exp(2x) + 1).
_LAST_PLACES = 4
# Times as many values as of eager may be wrong because they jump: a sum in a worse order is some times as wrong.
OFTEN = 16
WELL_POSED = 0.05  # what eager is wrong by at the most, of the largest value: else an output is left out
_JUMP = 1e-3  # of the largest value: what merely rounds is mostly nearer to what is exact
# Twice what `strict` has as its floor: a lower precision, or a part of a function, is found out far above that.
_STABLE_ERROR = {torch.float64: 1e-6, torch.float32: 1.5e-5, torch.float16: 2e-2, torch.bfloat16: 5e-2}
_OF_EACH_TERM = 1 / 128  # of its last place: what a plain sum, one term after the other, is wrong by where it is rounded to the same side
# Where errors do not cancel out, thousands of terms that are added one after the other come to this.
_REPEATED_ERROR = {torch.float64: 1e-6, torch.float32: 1e-4}


def largest(output):
    """Of a whole output; zero where there is no such number."""
    if not output.dtype.is_floating_point:
        output = torch.view_as_real(output.resolve_conj()) if output.is_complex() else output.new_zeros(0)
    value = _largest(output)
    return value if math.isfinite(value) else 0.0


def mostly_apart(one, other):
    """How far nearly all values of two outputs are from each other, relative to the largest. Integers and truth values are no distance apart."""
    if not one.dtype.is_floating_point or one.shape != other.shape or not one.numel():
        return 0.0
    scale = max(map(_largest, (one, other)))
    distance = (one.double() - other).abs_().flatten()[::max(1, one.numel() // _ENOUGH)]
    most = distance.kthvalue(len(distance) - len(distance) // 100).values.item()
    return _relative(most, scale, one.dtype) if math.isfinite(scale) else 0.0


def _relative(deviation, scale, dtype):
    return min(deviation / max(scale, spread.LEAST.get(dtype, spread.LEAST_OF_ALL)), sys.float_info.max)  # JSON knows no infinity


def nothing_wrong():
    return {"outcome": "pass", "evidence": "", "stable": True, "next_to_zero": False, "errors": [], "spread": []}


def tolerance(dtype, precision):
    return 1e-2 if precision == "mixed" else _TOLERANCE.get(dtype, 1e-4)


def stable_error(dtype, precision, repetitive=False):
    repeated = _REPEATED_ERROR.get(dtype, 0.0) if repetitive else 0.0
    return max(_STABLE_ERROR.get(dtype, 1e-3), repeated, 1e-2 if precision == "mixed" else 0.0)


def _largest(tensor):
    """The largest absolute value; NaN where there is one."""
    if tensor.numel() == 0:
        return 0.0
    return _largest_of_each(tensor)[0]


def _largest_of_each(*values):
    """The same of several, none of them empty, of one dtype. Together: each answer of a GPU takes as long as the work."""
    ends = torch.stack([end for value in values for end in torch.aminmax(value)]).tolist()
    return [max(high, -low) for low, high in zip(ends[::2], ends[1::2])]  # in this order zero has no sign


def within_range(exact, eager):
    """What is exact, within the range of eager's type: the least number of a type is another one in double precision."""
    if not (exact.dtype.is_floating_point and eager.dtype.is_floating_point) or not _largest(exact) > torch.finfo(eager.dtype).max:
        return exact
    most = torch.finfo(eager.dtype).max
    return torch.where(exact.isfinite(), exact.clamp(-most, most), exact)


class Truth:
    """One output of the reference: as eager computed it, exact (fp64), and under autocast (policy mixed) or None. `rounded` is
    as wrong as eager is to be taken for, where that is not eager itself."""

    def __init__(self, eager, exact, half=None, rounded=None, usual=None):
        self.name = ""
        self.chosen = False  # not computed: see chosen.py
        self.left_out = False  # the reference itself gives no accurate result for it
        self.terms = 0  # that each value may be a sum of, where these are alike: see cases.TAILS
        self.uniform = False  # of inputs that are the same: where a variance is zero, nothing but rounding is left
        self.usual = usual or 0.0  # the largest value on the problem's own inputs
        rounded = eager if rounded is None else rounded
        if eager.is_complex():
            eager, exact, rounded = map(tensors.real, (eager, exact, rounded))
        self.eager, self.exact = eager, exact
        self.given = eager  # all of it, where it is no number too
        self.finite, self.eager_error, self.half_error = True, 0.0, 0.0
        self.eager_spread = self.half_spread = self.moved_spread = spread.NONE
        self.undefined = None  # where the reference gives no number, which says nothing of the other values
        self.filled = None  # where numbers stand for nothing: see fills.py
        self.own = False  # on values such as the problem itself makes
        self.infinite = None  # where eager and what is exact are infinite alike, and so must others be on such values
        self.conditioning = 0.0  # how far the exact result moves when the inputs move by their last place
        self.steady_conditioning = 0.0  # the same; nothing where that is a jump
        self.reordered = 0.0  # how far, in another order of its sums; nothing where that is a jump
        if not eager.dtype.is_floating_point:
            return
        self.scale, deviation = _largest(exact), _largest(rounded - exact)
        self.finite = math.isfinite(self.scale) and math.isfinite(deviation)
        if not self.finite:
            self.infinite = (eager == exact) & torch.isinf(eager)
            self.undefined = ~(torch.isfinite(rounded) & torch.isfinite(exact))
            self.eager, self.exact, rounded = map(self.defined, (eager, exact, rounded))
            self.scale, deviation = _largest(self.exact), _largest(rounded - self.exact)
        self.filled = fills.find(self.exact, self.scale)
        if self.filled is not None:
            self.fill, self.exact_fill = self.eager, self.exact  # by a thread, one may be masked in one of them only
            self.undefined = self.filled if self.undefined is None else self.undefined | self.filled
            self.eager, self.exact, rounded = map(self.defined, (self.eager, self.exact, rounded))
            self.scale, deviation = _largest(self.exact), _largest(rounded - self.exact)
        self.rounded = rounded
        self.eager_error = self.relative(deviation)
        self.spread = spread.Spread(self.exact, self.eager.dtype)
        self.eager_spread = self.spread.errors(rounded)
        if half is not None and half.shape == exact.shape:
            deviation = _largest(self.defined(half) - self.exact)
            if math.isfinite(deviation):
                self.half_error = self.relative(deviation)
                self.half_spread = self.spread.errors(self.defined(half))

    def errors(self):
        """Those of the reference itself: the largest, then those of most values; of eager, then under autocast."""
        of_most = (max(one, _LUCK * moved) for one, moved in zip(self.eager_spread, self.moved_spread))
        return (max(self.eager_error, self.luck()), *of_most, self.half_error, *self.half_spread)

    def ignore_spread(self):
        """Of inputs that are alike: what cancels out in one order of a sum does not in another. Errors that add up show in the largest."""
        if self.eager.dtype.is_floating_point:
            self.spread.known = False

    def luck(self):
        """What others may be wrong by though eager is not. Where nothing is computed that is nothing."""
        if self.chosen:
            return 0.0
        luck = self.terms * torch.finfo(self.eager.dtype).eps * _OF_EACH_TERM if self.terms else 0.0
        if self.uniform:
            return min(_LUCK * self.conditioning, _MOST_LUCK)
        return max(luck, _LUCK * self.reordered, _LUCK * self.steady_conditioning if self.is_few() else 0.0)

    def is_few(self):
        """Whether these are so few numbers that eager may be near the truth by luck: of what is next to zero because terms cancel
        out, the order of a sum decides far more than the last place."""
        return self.eager.numel() < _FEW

    def defined(self, output):
        """An output without what the reference gives no number for."""
        return output if self.undefined is None else output.masked_fill(self.undefined, 0.0)

    def misfilled(self, output, allowed):
        """Where other numbers stand for nothing than those of the reference, or None."""
        if self.filled is None:
            return None
        wrong = self.filled.clone()
        for fill in (self.fill, self.exact_fill):
            wrong &= ~((output.double() - fill).abs_() <= allowed * fill.abs().double())
        return wrong if wrong.any() else None

    def condition(self, less, moved):
        """Takes the exact results of inputs that were moved by their last place, and before that by a part of it."""
        if not all(map(self._is_like, (less, moved))):
            return
        less, self.conditioning = (self._mostly_moved(tensors.real(output)) for output in (less, moved))
        if self._is_steady(less, self.conditioning):
            self.steady_conditioning = self.conditioning
        elif self.uniform:  # a sign, not what rounding leaves of nothing
            self.conditioning = 0.0

    def reorder(self, less, *others):
        """The same of terms that were moved by their last place."""
        if not all(map(self._is_like, (less, *others))):
            return
        less, *others = map(tensors.real, (less, *others))
        first, *more = map(self._mostly_moved, others)
        if self._is_steady(self._mostly_moved(less), first):
            self.reordered = max(first, *more)
            self.moved_spread = tuple(map(max, zip(*(self.spread.errors(self.defined(output)) for output in others))))

    def _is_steady(self, less, moved):
        """Where a result jumps it moves as far however little its terms do, or not at all. Nothing is less than the last place of a double."""
        return less <= A_PART * _STEADY * moved and (less > 0 or self.eager.dtype == torch.float64)

    def _is_like(self, output):
        return tensors.real(output).shape == self.exact.shape

    def _mostly_moved(self, output):
        distance = (self.defined(output) - self.exact).abs_().flatten()
        # Where a result jumps it moves as far as it likes: see jumps.py.
        if few := len(distance) // 1000:
            distance = distance.kthvalue(len(distance) - few).values
        return self.relative(_largest(distance))

    def relative(self, deviation):
        """A deviation relative to the largest value of the output."""
        return _relative(deviation, self.scale, self.eager.dtype)


def compare(actual, truths, precision, repetitive=False):
    """Metrics of outputs of the right form. `repetitive` is said of the inputs: rounding errors add up. That one output is wrong, for which
    there may be an excuse, is none for what is no number in another."""
    report = _compare(actual, truths, precision, repetitive)
    if report["outcome"] != "values":
        return report
    numbers = [(truth.defined(tensors.real(a)), truth, _name(truth, index)) for index, (a, truth) in enumerate(zip(actual, truths))
               if truth.eager.dtype.is_floating_point]
    return next(filter(None, (_not_finite(*each) for each in numbers)), report)


def _not_finite(a, truth, name):
    bad = ~torch.isfinite(a)
    return {"outcome": "non_finite", "evidence": wording.of_difference(name, a, truth.exact, bad, "are NaN or infinite")} if bad.any() else None


def _name(truth, index):
    return truth.name or f"output {index}"


def _compare(actual, truths, precision, repetitive):
    """A value is wrong outside KernelBench's tolerance from both the eager and the exact result. Where the reference's own rounding
    errors (under `mixed`: with autocast) are larger than that, as in the near-zero sums of large terms, what they come to is
    allowed besides.
    """
    report = nothing_wrong()
    for index, (a, truth) in enumerate(zip(actual, truths)):
        e, x, name = truth.eager, truth.exact, _name(truth, index)
        a = tensors.real(a)
        if not e.dtype.is_floating_point:
            mask = (a != e) & (a != x)  # by eager, an index may be that of one of several that have become zero
            if mask.any():
                return {"outcome": "values", "stable": False,
                        "evidence": wording.of_difference(name, a.long(), e.double(), mask, "differ (integers must be equal)")}
            continue
        misfilled = truth.misfilled(a, stable_error(e.dtype, precision))
        if misfilled is not None:
            return {"outcome": "values", "stable": False, "evidence": wording.of_difference(name, a, truth.fill, misfilled, "differ")}
        if truth.own and truth.infinite is not None and (elsewhere := truth.infinite & (a != truth.given)).any():
            return {"outcome": "values", "stable": False,
                    "evidence": wording.of_difference(name, a, truth.given, elsewhere, "differ (they are infinite)")}
        a = truth.defined(a)
        difference = a - x
        worst = _largest(difference)
        if not math.isfinite(worst) and (not_finite := _not_finite(a, truth, name)):
            return not_finite
        limit = tolerance(e.dtype, precision)
        error = truth.relative(worst)
        of_reference = max(truth.eager_error, truth.half_error if precision == "mixed" else 0.0, truth.luck())
        move = _stable_move(precision)
        last_places = truth.relative(_LAST_PLACES * torch.finfo(e.dtype).eps * truth.usual)
        stable = max(stable_error(e.dtype, precision, repetitive), 8 * of_reference, move * truth.conditioning)
        unstable = error > max(stable, last_places)
        report["next_to_zero"] = report["next_to_zero"] or stable < error <= last_places
        unstable = unstable or _too_often(a, truth, precision)
        if worst > limit or unstable:
            distance = difference.abs_()
            rounding = _TIMES_REFERENCE.get(precision, 1) * of_reference * truth.scale
            mask = _outside(distance, x, limit, rounding) & _outside((a.double() - e).abs_(), e, limit, rounding)
            how = f"differ by more than {limit:g} + {limit:g}*|expected|"
            if unstable and not mask.any():
                mask = distance > 0.5 * worst
                how = f"are the furthest away, by up to {error:.3g} of the largest value: a stable algorithm stays within {stable:.3g}"
            if mask.any() and not report["evidence"]:
                report["outcome"] = "values"
                report["evidence"] = wording.of_difference(name, a, x, mask, how)
        report["stable"] = report["stable"] and not unstable
        where = wording.of_the_worst(name, a, x) if _may_be_too_much(error, truth, precision) else ""
        _note(report, e, (error, *truth.spread.errors(a)), truth.errors(), truth.chosen, where)
        report["errors"][-1]["eager_alone"] = truth.eager_error  # for once, whatever others may be wrong by
    return report


def _stable_move(precision):
    return _STABLE_MOVE_MIXED if precision == "mixed" else _STABLE_MOVE


def step(dtype, precision):
    """By how much of their size inputs are moved to see what becomes of a result: their last place, of half precision a part of it."""
    epsilon = torch.finfo(dtype).eps
    return epsilon * (_STABLE_MOVE_HALF / _stable_move(precision) if dtype.itemsize == 2 else 1)


def noticeable(epsilon, precision):
    """An error, relative to the largest value: no policy asks for more."""
    return 1e-3 if precision == "mixed" else (64 if epsilon < 1e-4 else 4) * epsilon


def _may_be_too_much(error, truth, precision):
    """For a policy: only then is it worth while to tell where."""
    least = noticeable(torch.finfo(truth.eager.dtype).eps, precision)
    return error > max(least, _TIMES_REFERENCE.get(precision, 1) * truth.eager_error)


def _may_jump(eager_error, dtype, precision):
    return eager_error > _JUMP and precision != "mixed" and dtype != torch.float64


def _too_often(actual, truth, precision):
    """Where a few values of eager are far from what is exact (they jump: a grid, a threshold), many of a candidate's are."""
    least = noticeable(torch.finfo(truth.eager.dtype).eps, precision)
    if truth.uniform or not _may_jump(truth.eager_error, truth.eager.dtype, precision):
        return False
    often, of_eager = (int(((output.double() - truth.exact).abs_() > least * truth.scale).sum()) for output in (actual, truth.rounded))
    return often > OFTEN * (of_eager + 1)


def may_be_luck(report, precision):
    """Whether how wrong the reference is may say too little of what others may be wrong by: more than a policy allows."""
    rows = (*report.get("errors", ()), *report.get("spread", ()))
    least = {row["epsilon"]: row["epsilon"] * (64 if row["epsilon"] < 1e-4 else 1) for row in rows}
    return any(row["error"] > max(_TIMES_REFERENCE[precision] * row["eager_error"], least[row["epsilon"]]) for row in rows)


def _note(report, eager, errors, of_reference, is_chosen, where=""):
    """Of one output: what it may be wrong by depends on its own reference and dtype, not on those of the others."""
    of_eager, of_half = of_reference[:len(errors)], of_reference[len(errors):]
    epsilon = torch.finfo(eager.dtype).eps * (chosen.FLOOR if is_chosen else 1)
    rows = [{"error": error, "eager_error": one, "half_error": other, "epsilon": epsilon}
            for error, one, other in zip(errors, of_eager, of_half)]
    report["errors"].append({**rows[0], "where": where})
    report["spread"].extend({"share": share, **row} for share, row in zip(spread.SHARES, rows[1:]))


def is_near(actual, eager):
    """Whether outputs are that close to those of eager that nothing can be wrong with them, whatever the policy."""
    for a, e in zip(actual, eager):
        if not e.dtype.is_floating_point:
            if not torch.equal(a, e):
                return False
            continue
        _, scale, worst = _apart(a, e)
        if not worst <= 0.5 * stable_error(e.dtype, "strict") * scale:
            return False
        if fills.find(e, scale) is not None:
            return False  # next to these everything is
    return True


def _apart(actual, eager):
    """The difference, the largest value, and the largest difference. In eager's precision, but no half one: what is near is exact."""
    wide = eager if eager.dtype.itemsize >= 4 else eager.float()
    difference = actual - wide
    return difference, *(_largest_of_each(wide, difference) if eager.numel() else (0.0, 0.0))


def bound(actual, eager, typical, precision, are_chosen=None):
    """As compare(), but with the eager result alone, which takes a fraction of the time.

    `typical` are the errors of each output of the reference, see Truth.errors(), on inputs of the same kind. The error in the
    report is one that is not exceeded as long as eager is no more than _LESS_TYPICAL times as wrong. None where that says
    too little.
    """
    report = {**nothing_wrong(), "bound": True}
    if len(typical) != len(eager):
        return None  # a reference whose outputs are not always as many
    for a, e, of_reference, is_chosen in zip(actual, eager, typical, are_chosen or [False] * len(eager)):
        if not e.dtype.is_floating_point:
            if e.is_complex() or not torch.equal(a, e):
                return None
            continue
        difference, scale, worst = _apart(a, e)
        if not (math.isfinite(scale) and math.isfinite(worst)):
            return None
        if worst > 0 and (_may_jump(of_reference[0], e.dtype, precision) or fills.find(e, scale) is not None):
            return None
        limit = tolerance(e.dtype, precision)
        distances = (_relative(worst, scale, e.dtype), *spread.Spread(e, e.dtype).errors(a))
        errors = [one + _LESS_TYPICAL * other for one, other in zip(distances, of_reference)]
        if errors[0] > max(stable_error(e.dtype, precision), 8 * of_reference[0]) or (worst > limit and _outside(difference.abs_(), e, limit).any()):
            return None
        _note(report, e, errors, of_reference, is_chosen)
    return report


def _outside(distance, expected, limit, rounding=0.0):
    return distance > limit + rounding + limit * expected.double().abs()
