"""What the referee promises about comparing and staging, without a player: ok or FAIL for each.

Run it with a Python that has torch; what tests/run hands to every conformance suite is not needed.
"""

import math
import sys
import tempfile
import traceback
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DRAWS = ROOT / "build" / "libkforge_draws.so"
PROBLEM = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(8))
    def forward(self, x):
        return torch.tanh(x * self.weight)

def get_inputs():
    return [torch.randn(4, 8)]

def get_init_inputs():
    return []
"""


def plainly(actual, eager, exact, precision):
    """The rules of compare.compare for one output, written without regard for time: (outcome, stable, error)."""
    if not eager.dtype.is_floating_point:
        return ("pass" if torch.equal(actual, eager) else "values"), True, 0.0
    if not torch.isfinite(actual).all():
        return "non_finite", True, 0.0
    a, e = actual.double(), eager.double()
    limit = compare.tolerance(eager.dtype, precision)
    if not actual.numel():
        return "pass", True, 0.0
    least = limit + {"strict": 4, "mixed": 1}[precision] * (e - exact).abs().max().item()
    wrong = ((a - exact).abs() > least + limit * exact.abs()) & ((a - e).abs() > least + limit * e.abs())
    scale = max(exact.abs().max().item(), 1e-30)
    error, eager_error = (a - exact).abs().max().item() / scale, (e - exact).abs().max().item() / scale
    stable = error <= max(compare.stable_error(eager.dtype, precision), 8 * eager_error)
    return ("values" if wrong.any() or not stable else "pass"), stable, error


def damaged(generator, dtype):
    shape = [(), (1,), (7,), (5, 6), (0, 3), (2, 3, 4)][int(torch.randint(6, (), generator=generator))]
    size = 10.0 ** float(torch.randint(-5, 4, (), generator=generator))
    exact = size * torch.randn(shape, generator=generator, dtype=torch.float64)
    eager = exact.to(dtype)
    actual = eager.clone()
    strength = 10.0 ** float(torch.randint(-8, 2, (), generator=generator))
    hit = torch.rand(shape, generator=generator) < 0.3
    actual[hit] += (strength * max(size, 1.0) * torch.randn(shape, generator=generator)).to(dtype)[hit]
    if actual.numel() and torch.rand((), generator=generator) < 0.1:
        actual.view(-1)[0] = [math.nan, math.inf, -math.inf][int(torch.randint(3, (), generator=generator))]
    return actual, eager, exact


def error_of(report):
    return max((output["error"] for output in report.get("errors", ())), default=0.0)


def test_fast_comparison_agrees_with_the_rules():
    generator = torch.Generator().manual_seed(1)
    seen = set()
    for number in range(3000):
        dtype = (torch.float32, torch.float64, torch.float16, torch.bfloat16)[number % 4]
        precision = ("strict", "mixed")[number // 4 % 2]
        actual, eager, exact = damaged(generator, dtype)
        report = compare.compare([actual], [compare.Truth(eager, exact)], precision)
        outcome, stable, error = plainly(actual, eager, exact, precision)
        assert report["outcome"] == outcome, (number, report, outcome)
        assert report.get("stable", True) == stable and bool(report["evidence"]) == (outcome != "pass"), (number, report)
        assert math.isclose(error_of(report), error, rel_tol=1e-9), (number, report, error)
        seen.add((outcome, stable))
    assert len(seen) == 4, seen


def test_a_bound_is_given_only_where_the_whole_comparison_passes():
    generator = torch.Generator().manual_seed(2)
    given = 0
    for number in range(3000):
        dtype = (torch.float32, torch.float64, torch.float16, torch.bfloat16)[number % 4]
        precision = ("strict", "mixed")[number // 4 % 2]
        actual, eager, exact = damaged(generator, dtype)
        truth = compare.Truth(eager, exact)
        report = compare.compare([actual], [truth], precision)
        bound = compare.bound([actual], [eager], [truth.errors()], precision)
        assert not (bound is None and torch.equal(actual, eager)), number
        if bound is None:
            continue
        given += 1
        assert bound["outcome"] == report["outcome"] == "pass" and report["stable"], (number, bound, report)
        assert error_of(bound) >= error_of(report) * (1 - 1e-6), (number, bound, report)
        for name in ("eager_error", "epsilon"):
            assert bound["errors"][0][name] == report["errors"][0][name]
    assert given > 500, given


def test_most_values_count_where_a_few_are_large():
    exact = torch.full((1 << 17,), 1e-3, dtype=torch.float64)
    exact[7] = 1e6
    truth = compare.Truth(exact.float(), exact)
    for factor, wrong in ((1 + 1e-7, False), (1 + 1e-3, True)):
        actual = (exact * factor).float()
        actual[7] = 1e6
        report = compare.compare([actual], [truth], "strict")
        assert report["outcome"] == "pass" and report["errors"][0]["error"] < 1e-7
        assert [row["share"] for row in report["spread"]] == [0.5, 0.9, 0.99]
        assert all((row["error"] > 1e-4) == wrong and row["eager_error"] < 1e-7 for row in report["spread"]), report
    assert compare.Truth(torch.zeros(100), torch.zeros(100, dtype=torch.float64)).errors() == (0.0,) * 8
    assert compare.Truth(torch.ones(3), torch.ones(3, dtype=torch.float64)).eager_spread == (0.0, 0.0, 0.0)


def test_sums_that_cancel_may_be_as_wrong_as_those_of_the_reference():
    """Of terms of 50000 in fp32 nobody knows a sum near zero to 0.01."""
    exact = torch.tensor([50000.0, -0.345, 20000.0], dtype=torch.float64)
    truth = compare.Truth(exact.float() + torch.tensor([0.0, 0.0, 0.0118]), exact)
    for error, outcome in ((0.017, "pass"), (-0.017, "pass"), (0.03, "values")):
        actual = exact.float() + torch.tensor([0.0, error, 0.0])
        assert compare.compare([actual], [truth], "mixed")["outcome"] == outcome, error


def test_typical_errors_are_the_least_of_several():
    def met(error):
        expected = Expected([torch.zeros(1)], (0, "loaded"))
        expected.know([torch.tensor([1.0 + error])], [torch.tensor([1.0], dtype=torch.float64)], None)
        return expected

    typical = Typical()
    typical.note(met(1e-2))
    assert typical.get((0, "loaded")) is None, "the only one may be an exception"
    typical.note(met(1e-5))
    typical.note(met(1e-3))
    typical.note(met(math.inf))
    assert math.isclose(typical.get((0, "loaded"))[0][0], 1e-5, rel_tol=0.05)
    assert typical.get((1, "loaded")) is None


def test_where_there_are_more_outputs_than_before_nothing_is_typical():
    eager = [torch.ones(2), torch.ones(3)]
    assert compare.bound(eager, eager, [(0.0,) * 6], "strict") is None
    assert compare.bound(eager, eager, [(0.0,) * 6] * 2, "strict")


def test_integers_and_complex_numbers_are_compared():
    truth = compare.Truth(torch.arange(5), torch.arange(5))
    assert compare.compare([torch.arange(5)], [truth], "strict")["outcome"] == "pass"
    assert compare.compare([torch.arange(5) + 1], [truth], "strict")["outcome"] == "values"
    value = torch.complex(torch.randn(5), torch.randn(5))
    truth = compare.Truth(value, value)
    assert compare.compare([value.clone()], [truth], "strict")["outcome"] == "pass"
    assert compare.compare([value + 1j], [truth], "strict")["outcome"] == "values"


def test_values_beside_infinite_ones_are_compared():
    eager = torch.tensor([1.0, -math.inf, 2.0, math.nan])
    exact = torch.tensor([1.0, -math.inf, 2.0, 3.0], dtype=torch.float64)
    truth = compare.Truth(eager, exact, torch.tensor([1.0, math.nan, 2.25, math.inf]))
    assert not truth.finite and truth.eager_error == 0 and truth.half_error == 0.125
    for actual, outcome in ((eager, "pass"), (torch.tensor([1.0, 7.0, 2.0, -7.0]), "pass"),
                            (torch.tensor([1.0, -math.inf, 2.1, 3.0]), "values"),
                            (torch.tensor([math.nan, -math.inf, 2.0, 3.0]), "non_finite")):
        assert compare.compare([actual], [truth], "strict")["outcome"] == outcome, actual


def test_an_error_of_half_precision_that_is_no_number_is_none():
    truth = compare.Truth(torch.ones(2), torch.ones(2, dtype=torch.float64), torch.tensor([1.0, math.nan]))
    assert truth.finite and truth.half_error == 0


def test_the_error_of_eager_is_known_and_finite():
    exact = torch.tensor([1.0, -4.0], dtype=torch.float64)
    truth = compare.Truth(torch.tensor([1.0, -3.0]), exact)
    assert truth.eager_error == 0.25 and truth.finite
    assert not compare.Truth(torch.tensor([1.0, math.inf]), exact).finite
    assert not compare.Truth(torch.tensor([1.0, 1.0]), torch.tensor([math.nan, 1.0], dtype=torch.float64)).finite


def loaded(folder):
    path = Path(folder) / "problem.py"
    path.write_text(PROBLEM)
    judge = referee.Referee()
    seeds = {"given": 1, "weights": [2, 3, 4], "cases": 10}
    _, fds = judge.op_load({"path": str(path), "name": "tiny", "mode": "as_is", "device": "cpu", "precision": "strict",
                            "seeds": seeds})
    return judge, fds


def fill(judge, seed, check=False, index=2):
    judge.op_fill({"seed": seed, "weights": index, "kind": "loaded"})
    if check:
        judge.op_compare({"outputs": []})
    return judge.current


def test_rounds_have_inputs_of_their_own_by_their_seed(folder):
    judge, _ = loaded(folder)
    first, second = fill(judge, 100), fill(judge, 101)
    assert not torch.equal(first.inputs[0], second.inputs[0])
    assert torch.equal(fill(judge, 100).inputs[0], first.inputs[0])


def test_a_round_is_checked_against_the_right_weights(folder):
    judge, _ = loaded(folder)
    inputs = fill(judge, 100).inputs[0]
    for index in (2, 1):
        expected = fill(judge, 100, check=True, index=index)
        assert torch.equal(expected.inputs[0], inputs)
        wanted = torch.tanh(inputs.double() * judge.reference.model(index, "loaded").weight.double())
        assert torch.allclose(expected.truths[0].exact, wanted, rtol=1e-12)


def hand_over(judge, output):
    """Puts an output where kforge puts those of a player, and compares it."""
    judge.outputs.tensor(output.dtype, output.shape, output.stride(), 0, output.numel() * output.dtype.itemsize).copy_(output)
    return judge.op_compare({"outputs": [["float32", list(output.shape), list(output.stride())]]})


def test_after_the_first_timed_round_eager_decides_where_it_can(folder):
    judge, _ = loaded(folder)
    judge.op_case({"name": "given", "weights": 2, "kind": "loaded"})
    right = lambda expected: torch.tanh(expected.inputs[0] * judge.reference.model(2, "loaded").weight)
    first = hand_over(judge, right(fill(judge, 100)))
    assert first["outcome"] == "pass" and "bound" not in first
    later = hand_over(judge, right(fill(judge, 101)))
    assert later["bound"] and later["outcome"] == "pass" and not judge.current.known
    wrong = right(fill(judge, 102))
    wrong[-1, -1] += 0.01
    assert hand_over(judge, wrong)["outcome"] == "values"
    wrong = right(fill(judge, 103))
    wrong[0, 0] = math.nan
    assert hand_over(judge, wrong)["outcome"] == "non_finite"
    fill(judge, 104)
    exact = judge.op_compare({"outputs": [["float32", [4, 8], [8, 1]]], "exact": True})
    assert "bound" not in exact and judge.current.known


def test_what_does_not_fit_leaves_what_is_kept():
    cache = referee.Cache(10)
    cache.put("a", "small", 8)
    cache.put("a", "large", 11)
    cache.put("b", "other", 3)
    assert cache.get("a") == "small" and cache.get("b") is None
    cache.put("a", "exact", 10)
    assert cache.get("a") == "exact"


def test_any_changed_bit_of_an_input_is_found(folder):
    judge, _ = loaded(folder)
    spec = judge.op_fill({"seed": 100, "weights": 2, "kind": "loaded"})["spec"]
    assert not judge.op_unchanged({})["changed"]
    shared = tensors.load(spec, judge.inputs)[0].view(torch.int32)
    shared[-1, -1] ^= 1
    assert judge.op_unchanged({})["changed"]
    assert judge.op_compare({"outputs": []})["outcome"] == "inputs"


def quick(draw, seed, quickly=None):
    torch.manual_seed(seed)
    with quickly or draws.Quick(DRAWS):
        return draw()


def test_quick_numbers_have_the_distribution_of_slow_ones():
    for draw, moments in ((lambda: torch.randn(1024, 1024), (0, 1, 0, 3)), (lambda: torch.rand(1024, 1024), (1 / 2, 1 / 3, 1 / 4, 1 / 5))):
        numbers, ordinary = quick(draw, 1), draw()
        assert (numbers.shape, numbers.dtype, numbers.stride()) == (ordinary.shape, ordinary.dtype, ordinary.stride())
        for power, moment in enumerate(moments, 1):
            assert abs(numbers.double().pow(power).mean() - moment) < 0.1, (power, moment)
        places = torch.linspace(0.01, 0.99, 50)
        assert (torch.quantile(numbers.flatten()[:1 << 20:7], places) - torch.quantile(ordinary.flatten()[::7], places)).abs().max() < 0.05
        assert abs((numbers[:-1] * numbers[1:]).mean() - numbers.mean() ** 2) < 0.02
    assert 0 <= numbers.min() and numbers.max() < 1


def test_quick_numbers_are_new_ones_in_each_call_and_in_no_pool():
    quickly = draws.Quick(DRAWS)
    draw = lambda: torch.randn(512, 512)
    one, other = quick(draw, 1, quickly), quick(draw, 2, quickly)
    pool = quickly.pools[torch.randn].numbers
    for numbers in (one, other):
        assert torch.isin(numbers, pool).float().mean() < 0.2  # there are only so many numbers of this size
    assert torch.isin(one, other).float().mean() < 0.2
    rows = lambda numbers: {tuple(row.tolist()) for row in numbers.reshape(-1, 4)}
    assert not rows(one) & rows(other) and not rows(one) & rows(pool)
    for _ in range(2 * draws._USES * draws._POOL // one.numel()):
        quick(draw, 3, quickly)
    assert quickly.pools[torch.randn].numbers is not pool


def test_quick_numbers_are_the_same_by_the_same_seed():
    def twice():
        first = torch.randn_like(torch.empty(256, 256))
        torch.manual_seed(1)
        return first, torch.randn(size=(256, 256))

    assert torch.equal(*quick(twice, 1))


def test_what_is_drawn_by_a_seed_of_the_problem_is_drawn_as_ever():
    problem = types.SimpleNamespace(seed=1)

    def twice():
        first = torch.rand(256, 256)
        torch.manual_seed(2)
        return first, torch.rand(256, 256)

    torch.manual_seed(1)
    ordinary, drawn = twice(), quick(twice, 1, draws.Quick(DRAWS, problem))
    assert not torch.equal(ordinary[0], drawn[0]) and torch.equal(ordinary[1], drawn[1])


def test_what_is_few_or_of_another_kind_is_drawn_as_ever():
    generator = torch.Generator()
    for draw in (lambda: torch.randn(64), lambda: torch.rand(1 << 16, dtype=torch.float64), lambda: torch.randn(1 << 16).half(),
                 lambda: torch.randint(9, (1 << 16,)), lambda: torch.randn(1 << 16, generator=generator.manual_seed(2)),
                 lambda: torch.randn_like(torch.empty(256, 512).t())):
        torch.manual_seed(1)
        ordinary = draw()
        same = torch.equal(quick(draw, 1), ordinary)
        assert same == (ordinary.dtype != torch.float16)  # this one is turned into halves afterwards
    assert quick(lambda: torch.randn(1 << 16, requires_grad=True), 1).requires_grad


class Inputs:
    """A problem as far as cases see one: functions that make one tensor, or a tuple of them."""

    def __init__(self, *makers):
        self.makers = makers

    def make_inputs(self, seed, own_seeds=True):
        torch.manual_seed(seed)
        made = [maker() for maker in self.makers]
        return [part for value in made for part in (value if isinstance(value, tuple) else (value,))]


def other_constants(maker, kind=""):
    return cases.make_inputs(Inputs(maker), f"{cases.CONSTANTS} {kind}".strip(), 1)[0]


def test_what_a_problem_rests_on_holds_for_other_integers_and_bounds():
    def spans():
        first = torch.randint(0, 500, (64,))
        return first, first + torch.randint(1, 500, (64,))

    def bounds():
        low = torch.randn(16, 16)
        return low, low + torch.rand(16, 16)

    inputs = Inputs(spans, lambda: torch.bincount(torch.randint(0, 32, (2048,)), minlength=32), lambda: torch.ones(2048), bounds)
    for kind in integers.KINDS[:-1]:
        first, end, lengths, *_ = cases.make_inputs(inputs, f"{cases.CONSTANTS} {kind}".strip(), 1)
        assert (first < end).all() and lengths.sum() == 2048 and lengths.min() >= 0, kind
        assert not torch.equal(lengths, inputs.make_inputs(1)[2]), kind
    for name in ("negative", "large", "ties"):
        *_, low, high = cases.make_inputs(inputs, name, 1, cases.Fresh(inputs, 1).structures)
        assert (low <= high).all() and low.max() > high.min(), name
    starts = other_constants(lambda: torch.cat([torch.tensor([0]), torch.randint(99, (30,)).sort().values, torch.tensor([99])]))
    assert starts[0] == 0 and starts[-1] == 99 and (starts.diff() >= 0).all()


def test_rows_of_masks_are_blank_and_full():
    for kind, blank, full in (("", True, True), ("blank", True, False), ("full", False, True), ("present", False, False)):
        mask = other_constants(lambda: torch.rand(64, 64) < 0.5, kind)
        assert (~mask).all(-1).any() == blank and mask.all(-1).any() == full, kind


def main():
    failed = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        try:
            with tempfile.TemporaryDirectory() as folder:
                test(folder) if test.__code__.co_argcount else test()
            print("ok", name.removeprefix("test_"), flush=True)
        except Exception:  # a test that fails by any error has failed
            failed += 1
            traceback.print_exc(file=sys.stdout)
            print("FAIL", name.removeprefix("test_"), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "python"))
    import torch
    from kforge_arena import cases, compare, draws, integers, referee, tensors
    from kforge_arena.expected import Expected, Typical
    from apart import *  # noqa: F403
    sys.exit(main())
