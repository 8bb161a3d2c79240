"""Checks how outputs are compared: errors, evidence, luck, the form. Needs PyTorch.

Run as a script: the names of the tests that failed with their traces, exit 0 if all is well, 1 if not. Parts of names
as arguments select.
"""

import json
import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from _small_tests import run  # noqa: E402

from kforge_arena import compare, equals, jumps, shaken, ties, wording  # noqa: E402
from kforge_arena.forms import find_other_form  # noqa: E402


def test_eager_may_be_near_the_truth_by_luck():
    for count in (1, 100):
        exact = torch.full((count,), 1e-3, dtype=torch.float64)
        truth = compare.Truth(exact.float(), exact)
        near, far = (compare.compare([(exact * (1 + error)).float()], [truth], "strict") for error in (1e-6, 1e-5))
        assert compare.may_be_luck(far, "strict") and not compare.may_be_luck(near, "strict")
        truth.condition(exact * (1 + 2.5e-7), exact * (1 + 2e-6))
        if count == 100:  # that inputs move says nothing of many values, what is added up does
            assert truth.luck() == 0
            truth.reorder(exact * (1 + 1.25e-7), exact * (1 + 1e-6), exact * (1 + 2e-6))
        assert math.isclose(truth.errors()[0], 16 * 2e-6, rel_tol=1e-6)


def test_what_jumps_does_not_hang_by_the_order_of_a_sum():
    exact = torch.arange(1000, dtype=torch.float64).round(decimals=-1)
    truth = compare.Truth(exact.float(), exact)
    jumped = torch.where(torch.arange(1000) % 10 == 5, exact + 10, exact)
    truth.reorder(jumped, jumped, jumped)
    assert truth.luck() == 0
    few = compare.Truth(exact[:60].float(), exact[:60])
    for less in (exact[:60], jumped[:60]):  # none has jumped by less, or as many
        few.condition(less, jumped[:60])
        assert few.conditioning > 0 and few.luck() == 0


def test_only_sums_depend_on_their_order():
    x = torch.randn(64, 64, dtype=torch.float64)
    moved = lambda function: not torch.equal(_reordered(function, x), function(x))
    assert all(map(moved, (lambda x: x.sum(1), lambda x: x @ x, lambda x: torch.softmax(x, -1), torch.linalg.inv)))
    assert not any(map(moved, (lambda x: x[1:] - x[:-1], lambda x: torch.sin(1024 * x), torch.exp, lambda x: x.sort().values)))


def _reordered(function, x):
    with shaken.Reordered(1e-7, torch.Generator().manual_seed(1)):
        return function(x)


def evidence_of(actual, exact, precision="strict"):
    truth = compare.Truth(exact.clone(), exact.double() if exact.is_floating_point() else exact.clone())
    report = wording.in_words(compare.compare([actual], [truth], precision))
    assert json.dumps(report, allow_nan=False)
    return report


def test_equal_outputs_pass():
    exact = torch.randn(33, 17)
    report = evidence_of(exact.clone(), exact)
    assert report["outcome"] == "pass" and report["evidence"] == "" and report["stable"]
    assert [output["error"] for output in report["errors"]] == [0]
    assert evidence_of(torch.empty(0, 3), torch.empty(0, 3))["outcome"] == "pass"


def test_evidence_says_which_indices_are_wrong():
    exact = torch.randn(64, 48) + 10
    regions = {
        "indices 60 to 63 of dim 0 (size 64), the tail": (slice(60, 64), slice(None)),
        "indices 0 to 15 of dim 0 (size 64), the head": (slice(0, 16), slice(None)),
        "indices 16 to 31 of dim 0": (slice(16, 32), slice(16, 32)),
        "only index 47 of dim 1 (size 48) (the last one)": (slice(None), 47),
        "only index 5 of dim 0": (5, slice(None)),
        "every 4th index of dim 1 from 0 to 44": (slice(None), slice(0, None, 4)),
        "every index of dim 0 (64)": (slice(None), slice(40, 48)),
    }
    for words, region in regions.items():
        actual = exact.clone()
        actual[region] += 1 + torch.rand_like(actual[region])
        report = evidence_of(actual, exact)
        assert report["outcome"] == "values" and not report["stable"] and words in report["evidence"], (
            words, report["evidence"])
        wrong = int((actual != exact).sum())
        assert f"{wrong} of {exact.numel()} values differ" in report["evidence"]


def test_evidence_shows_first_worst_and_last():
    exact = torch.zeros(4, 4) + 1
    actual = exact.clone()
    actual[0, 1], actual[2, 2], actual[3, 3] = 2, 9, 3
    text = evidence_of(actual, exact)["evidence"]
    for words in ("first [0, 1]: expected 1, got 2", "worst [2, 2]: expected 1, got 9", "last [3, 3]: expected 1, got 3"):
        assert words in text, text


def test_evidence_names_the_kind_of_mistake():
    exact = torch.randn(32, 32)
    kinds = {
        "the output is zero everywhere": torch.zeros_like(exact),
        "the output is the transpose of what is expected": exact.T.contiguous(),
        "the output is 0.5 times what is expected, everywhere": exact * 0.5,
        "the output is off by the constant 3": exact + 3,
    }
    for words, actual in kinds.items():
        text = evidence_of(actual, exact)["evidence"]
        assert words in text, (words, text)
    assert not any(words in evidence_of(torch.randn(32, 32), exact)["evidence"] for words in kinds)


def test_nan_and_infinity_are_their_own_outcome():
    exact = torch.randn(8, 8)
    for bad in (math.nan, math.inf, -math.inf):
        actual = exact.clone()
        actual[7, 3] = bad
        report = evidence_of(actual, exact)
        assert report["outcome"] == "non_finite" and "[7, 3]" in report["evidence"], report


def test_scalars_integers_and_booleans_are_compared():
    assert evidence_of(torch.tensor(1.0), torch.tensor(1.0))["outcome"] == "pass"
    assert "got 2" in evidence_of(torch.tensor(2.0), torch.tensor(1.0))["evidence"]
    for actual, exact in ((torch.tensor([1, 2]), torch.tensor([1, 3])), (torch.tensor([True]), torch.tensor([False]))):
        report = evidence_of(actual, exact)
        assert report["outcome"] == "values" and report["stable"] is False, "wrong in every case, not only by policy"


def test_an_error_without_bounds_is_still_json():
    exact = torch.zeros(4, dtype=torch.float64)
    report = evidence_of(torch.full((4,), 1e308, dtype=torch.float64), exact)
    assert report["outcome"] == "values" and math.isfinite(report["errors"][0]["error"])


def test_half_precision_is_caught_by_its_error():
    exact = torch.randn(64, 64)
    errors = evidence_of(exact.half().float(), exact)["errors"][0]
    assert 1e-5 < errors["error"] < 1e-3 and errors["epsilon"] == torch.finfo(torch.float32).eps


def test_the_form_comes_before_the_values():
    def form_of(forms, eager):
        return find_other_form(forms, eager, [e.stride() for e in eager])

    eager = [torch.zeros(2, 3), torch.zeros(4, dtype=torch.int64), torch.zeros(3, 2).T]
    right = [["float32", [2, 3], [3, 1]], ["int64", [4], [1]], ["float32", [2, 3], [1, 2]]]
    assert form_of(right, eager) is None
    assert form_of([*right[:2], right[0]], eager) is None, "contiguous is right, too"
    assert form_of(right[:1], eager) == {"outcome": "shape", "evidence": "1 outputs, expected 3"}
    faults = {
        "shape": (["float32", [3, 2], [2, 1]], "[3, 2], expected [2, 3]"),
        "dtype": (["float16", [2, 3], [3, 1]], "float16, expected float32"),
    }
    for outcome, (form, words) in faults.items():
        found = form_of([form, *right[1:]], eager)
        assert found["outcome"] == outcome and words in found["evidence"], found
    for stride in ([1, 2], [0, 0], [2**62, 1], [-3, 1]):
        found = form_of([["float32", [2, 3], stride], *right[1:]], eager)
        assert found["outcome"] == "shape" and "strides" in found["evidence"], found
    empty, single = torch.zeros(0, 3), torch.zeros(1, 3)
    assert form_of([["float32", [0, 3], [9, 9]], ["float32", [1, 3], [77, 1]]], [empty, single]) is None


def test_what_is_no_number_counts_beside_a_wrong_whole_number():
    values, places = torch.randn(8), torch.arange(8)
    truths = [compare.Truth(places, places), compare.Truth(values, values.double())]
    assert compare.compare([places + 1, values], truths, "strict")["outcome"] == "values"
    assert compare.compare([places + 1, values.masked_fill(places == 3, math.nan)], truths, "strict")["outcome"] == "non_finite"


def test_equal_values_are_met_in_any_order():
    keys = torch.tensor([3, 1, 3, 1, 3, 2])
    payload = torch.arange(12.0).view(6, 2)

    def reference():
        order = torch.argsort(keys)
        return [order, payload[order]]

    def under(mode):
        with mode:
            return reference()

    truths = [compare.Truth(each, each.double() if each.is_floating_point() else each) for each in reference()]

    def is_right(order, rows=None):
        outputs = equals.explained([order, payload[order] if rows is None else rows], truths, under, "strict")
        return compare.compare(outputs, truths, "strict")["outcome"] == "pass"

    one, other = torch.tensor([1, 3, 5, 0, 2, 4]), torch.tensor([3, 1, 5, 2, 4, 0])
    assert is_right(one) and is_right(other)
    assert not is_right(torch.tensor([1, 5, 3, 0, 2, 4])), "a key before a smaller one"
    assert not is_right(torch.tensor([1, 1, 5, 0, 2, 4])), "a place twice"
    assert not is_right(one, torch.cat((payload[one, :1], payload[other, 1:]), 1)), "rows that are none"
    assert not is_right(one, payload[one] + 1)


def test_whole_numbers_are_moved_where_they_follow_from_values():
    x = torch.tensor([0.2, 1.7, 2.9, 1.1])

    def hangs(function):
        def under(far):
            with ties.Elsewhere(far):
                return function(x)
        return any(not torch.equal(function(x), under(far)) for far in (False, True))

    assert hangs(lambda x: x.long().float()) and hangs(lambda x: x.topk(2).indices // 2) and hangs(lambda x: x.round().to(torch.int8) > 1)
    assert not hangs(lambda x: x * 2) and not hangs(lambda x: x + x.new_zeros(4, dtype=torch.long))


def test_rows_far_from_the_truth_are_counted():
    exact = torch.ones(10, 4, dtype=torch.float64)
    output = exact.float()
    output[2, 1], output[5] = 1.2, 0.0
    output[7] += 0.01
    assert jumps.rows_far_off(output, compare.Truth(exact.float(), exact)) == 2


if __name__ == "__main__":
    sys.exit(run(globals()))
