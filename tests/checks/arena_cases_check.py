"""Checks the inputs of cases: distributions, structures, weights, what is heard from a reference. Needs PyTorch.

Run as a script: the names of the tests that failed with their traces, exit 0 if all is well, 1 if not. Parts of names
as arguments select.
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from _inputs import Inputs, make  # noqa: E402
from _small_tests import raises, run  # noqa: E402

from kforge_arena import asked as asks, cases, compare, distributions, infinities, nearly, sizes, tensors, ties, weights  # noqa: E402


def test_each_distribution_is_what_its_name_says():
    shape = (64, 32)
    drawn = {name: make(name, lambda: torch.rand(shape))[0] for name in distributions.DISTRIBUTIONS}
    for name, value in drawn.items():
        assert value.shape == shape and value.dtype == torch.float32 and value.is_contiguous(), name
    assert 0 <= drawn["given"].min() and drawn["given"].max() <= 1
    assert abs(drawn["normal"].mean()) < 0.1 and 0.9 < drawn["normal"].std() < 1.1
    assert drawn["large"].std() > 40 and drawn["tiny"].abs().max() < 0.01
    assert drawn["offset"].min() >= 100 and drawn["negative"].max() <= 0
    assert not drawn["zeros"].any()
    assert 1 <= (drawn["outliers"].abs() >= 100).sum() <= 16 and (drawn["outliers"].abs() <= 1).sum() >= 63 * 32 - 16
    assert (drawn["rows"] == drawn["rows"][:, :1]).all() and len(drawn["rows"].unique()) > 10
    assert torch.equal(drawn["ties"], drawn["ties"].round()) and len(drawn["ties"].unique()) < 30


def test_cases_are_repeatable_and_secret():
    for name in distributions.DISTRIBUTIONS:
        one, again, other = (make(name, lambda: torch.rand(8), seed=seed)[0] for seed in (1, 1, 2))
        assert torch.equal(one, again), name
        assert name == "zeros" or not torch.equal(one, other), name


def test_what_is_fixed_moves_and_keeps_its_strides():
    fixed = torch.rand(6, 4).t()[:, ::2]
    fresh = cases.Fresh(Inputs(fixed, torch.arange(3), lambda: torch.rand(3)), 1)
    moved = fresh(5)
    assert fresh.fixed == [True, False, False] and moved[0].stride() == fixed.stride() and moved[1].tolist() == [0, 1, 2]


def test_batches_are_sliced_where_that_changes_something():
    x, y, scale, weight = torch.rand(8, 3), torch.rand(8), torch.tensor(2.0), torch.rand(3, 3)
    for name, size in (("batch 1", 1), ("batch half", 4), ("batch less one", 7)):
        a, b, c, d = make(name, x, y, scale, weight)
        assert a.shape == (size, 3) and b.shape == (size,) and torch.equal(a, x[:size]) and a.is_contiguous()
        assert c.dim() == 0 and d.shape == (3, 3)
    assert make("batch half", torch.rand(3, 2)) is None and make("batch 1", torch.rand(1, 2)) is None
    assert make("batch less one", torch.tensor(1.0)) is None


def test_any_leading_size_can_be_had():
    def get_inputs():
        return [torch.rand(4, 3), {"w": torch.rand(3), "n": torch.arange(4)}, 2.5]

    for wanted in (1, 3, 4, 5, 11):
        x, more, scalar = sizes.with_leading_size(get_inputs, wanted)()
        assert x.shape == (wanted, 3) and x.is_contiguous() and more["w"].shape == (3,) and scalar == 2.5
        assert more["n"].tolist() == [i % 4 for i in range(wanted)]
        assert len({tuple(row) for row in x.tolist()}) == wanted, "rows are repeated"
    raises(sizes.SizeError, sizes.with_leading_size(lambda: [torch.rand(1, 3), torch.tensor(2.0)], 4), "--constant")


def test_strides_change_and_values_do_not():
    x = torch.rand(2, 4, 6)
    for name in cases.STRIDE_VARIATIONS:
        varied, = make(name, x)
        assert torch.equal(varied, x) and not varied.is_contiguous(), name
        assert make(name, torch.rand(5)) is None, name
    assert make("strides transposed", torch.rand(1, 5)) is None


def test_perturbed_weights_are_no_constants():
    model = torch.nn.Sequential(torch.nn.LayerNorm(16), torch.nn.Linear(16, 4))
    before = [p.clone() for p in model.parameters()]
    weights._perturb(model, 7)
    for old, new in zip(before, model.parameters()):
        assert not torch.equal(old, new) and len(new.unique()) == new.numel()
        assert (old - new).abs().max() < 1 + old.abs().max()


def test_emboldened_weights_are_far_in_some_elements():
    model = torch.nn.Sequential(torch.nn.LayerNorm(64), torch.nn.Linear(64, 64), torch.nn.PReLU())
    before = [p.clone() for p in model.parameters()]
    weights._embolden(model, torch.Generator().manual_seed(7))
    scale, shift, matrix, bias, slope = [(new - old).detach() for old, new in zip(before, model.parameters())]
    assert (model[0].weight < 0).any() and (scale == 0).sum() == 48 and shift.abs().max() > 2 and bias.abs().max() > 2
    assert 0 < matrix.count_nonzero() == matrix.diagonal().count_nonzero() < 32 and slope > 0
    weights._lower_scalars(model, torch.Generator())
    assert model[2].weight < 0


def test_what_is_long_has_ends_that_show():
    value, = make("ties ends", torch.zeros(64, 256))
    far = value.abs() >= 200
    assert far.view(-1)[[0, 8191, 8192, -1]].all() and far.sum() == 4 and torch.equal(value, value.round())
    assert make("ties ends", torch.zeros(64))[0].abs().max() < 20


def test_outliers_come_in_pairs():
    x = torch.zeros(64, 256)
    places = distributions._in_pairs(x, 16)
    rows, columns = places // 256, places % 256
    assert all((0 <= places) & (places < x.numel()))
    assert all(rows[i] == rows[i + 1] or columns[i] == columns[i + 1] for i in range(0, 16, 2)) and (rows[::4] == rows[1::4]).all()


def test_calm_weights_hang_by_no_thread():
    """A unit that sees itself in a recurrent module without gates stays what it is by a thread."""
    class Recurrent:
        infinities = infinities.Meant()
        forward = staticmethod(lambda model, inputs: [model(inputs[0])[0]])

    model, inputs = torch.nn.RNN(8, 64, batch_first=True).requires_grad_(False), [torch.randn(8, 256, 8)]
    assert weights._steadiness(Recurrent, model, inputs) == "calm"
    weights._embolden(model, torch.Generator().manual_seed(1))
    assert weights._steadiness(Recurrent, model, inputs) == "steady"


def test_infinities_are_meant_where_they_are_exact_and_not_all_there_is():
    inf, row = math.inf, lambda *values: [torch.tensor(values)]
    assert infinities.meant(row(1.0, -inf), row(2.0, -inf)).signs == {0: [-inf]}
    assert infinities.meant(row(1.0, -inf), row(2.0, -3e38)).signs == {}  # an overflow
    assert infinities.meant(row(inf, -inf), row(inf, -inf)).signs == {}
    values, places = infinities.Meant({0: [-inf]}).apart(row(1.0, -inf, inf))[0]
    assert values.tolist() == [1.0, 0.0, inf] and places.tolist() == [0, -1, 0]


def test_nearly_the_same_is_also_another_order_and_one_input_in_turn():
    draws = [[torch.randn(8, 8), torch.randn(4), torch.arange(3)] for _ in range(3)]
    near = nearly.Nearly(*draws[:2])
    kinds = []
    for _ in range(10):
        other = near(draws[0], lambda: draws[2])
        new = [torch.equal(a, b) for a, b in zip(draws[2][:2], other)]
        if any(new):
            kinds.append(new.index(True))
            assert torch.equal(other[1 - kinds[-1]], draws[0][1 - kinds[-1]])
        else:
            kinds.append("elsewhere" if torch.equal(*(each[0].flatten().sort().values for each in (other, draws[0]))) else "few")
    assert {0, 1, "elsewhere", "few"} == {*kinds}, kinds


def test_values_come_in_another_order_and_in_pairs():
    x = torch.randn(400, 50)
    other = make(distributions.ORDERED, x)[0]
    assert torch.equal(other.sort().values, x.sort().values)
    rises, falls = ((other.diff() >= 0).all(1)), ((other.diff() <= 0).all(1))
    peaks = (other.diff().sign().diff() < 0).sum(1) == 1
    assert min(rises.sum(), falls.sum(), (peaks & ~rises & ~falls).sum()) > 50 and torch.equal(other[~(rises | falls | peaks)], x[~(rises | falls | peaks)])
    one, near = make(distributions.ORDERED + " pairs", lambda: torch.randn(64, 16), lambda: torch.randn(64, 16))
    assert (torch.cdist(near, one).min(1).values < 0.05).sum() == 32
    unlike = make(distributions.ORDERED + " pairs", lambda: torch.rand(64, 16), lambda: torch.randn(64, 16))
    assert torch.cdist(*unlike).min() > 0.1  # one of them has no values below zero


def test_values_are_brought_together_and_stay_within_their_range():
    close = to_weights = 0
    for seed in range(16):
        smooth, = make("composed 1", torch.rand(64), seed=seed)
        assert smooth.diff().abs().mean() < 0.2 and 0 <= smooth.min() and smooth.max() <= 1
        x, y = make("composed 2", torch.randn(64, 16), torch.randn(48, 16), seed=seed)
        nearest = (x[:, None] - torch.cat((x, y))).norm(dim=-1).sort().values[:, 1]
        close += bool((nearest < 0.1).float().mean() > 0.8 and (x[:, None] - y).norm(dim=-1).min() < 0.1)
        boxes, = make("composed 2 moderate", torch.rand(64, 2).repeat(1, 2) + torch.tensor([0.0, 0.0, 0.5, 0.5]), seed=seed)
        assert (boxes[:, 2:] > boxes[:, :2] + 0.4).all()
        codes = torch.nn.Parameter(torch.randn(8, 16))
        near, = cases.make_inputs(Inputs(torch.randn(64, 16)), "composed 2", seed, weights=[codes])
        to_weights += bool((near[:, None] - codes).norm(dim=-1).amin(-1).max() < 0.1)
    assert close > 10 and 2 < to_weights < 14
    in_plane = 0
    for seed in range(16):
        x, y = make("composed 2", torch.randn(64, 8, dtype=torch.complex64), torch.randn(48, 8, dtype=torch.complex64), seed=seed)
        in_plane += bool((x[:, None] - y).abs().norm(dim=-1).min() < 0.1)
    assert in_plane > 8, in_plane
    one, other = (cases.make_inputs(Inputs(torch.randn(64, 16)), name, 1)[0].abs() for name in ("tiny", cases.when_it_comes_again("tiny")))
    assert one.amax(1).min() < 1e-12 < one.amax(0).min() and other.amax(0).min() < 1e-12 < other.amax(1).min()
    small, = make("tiny", torch.randn(64, 16))
    size = small.abs().amax(1)
    assert all(((size > 10.0**-power) & (size < 100 * 10.0**-power)).any() for power in range(4, 16))


def test_lines_that_rest_on_the_order_of_equal_values_are_excused():
    scores = torch.randn(6, 8)
    scores[1, [2, 5]] = 9.0
    scores[3] = 0.0
    answers = [each for each, in ties.broken([scores])]

    def excused(function, actual):
        exact = function(scores.double())
        with ties.Otherwise(ties.is_in_a_crowd):
            in_crowds = [function(scores)]
        return exact, ties.excused([actual], [compare.Truth(function(scores), exact)], ([function(each)] for each in answers), [in_crowds], True)[0]

    swapped = scores.topk(2).indices.flip(1)
    exact, told = excused(lambda x: x.topk(2).indices, swapped)
    assert torch.equal(told[[1, 3]], exact[[1, 3]]) and all(torch.equal(told[row], swapped[row]) for row in (0, 2, 4, 5))
    # Numbers that rest on it are those of one of the answers, or next to these; where all are alike they may be anything.
    payload = torch.arange(8.0).repeat(6, 1)
    sums = lambda x: payload.to(x.dtype).gather(1, x.topk(2).indices).cumsum(1)
    exact, told = excused(sums, torch.where(torch.arange(6)[:, None] == 1, sums(scores) - 3, torch.full((6, 2), 99.0)))
    assert told[1].tolist()[0] == exact[1][0] and (told[[0, 2, 4, 5]] == 99).all() and torch.equal(told[3].double(), exact[3])
    exact, told = excused(sums, torch.full((6, 2), 99.0))
    assert (told[1] == 99).all()


def test_matrices_keep_their_structure():
    def symmetric():
        matrix = torch.rand(6, 6)
        return matrix + matrix.T

    def definite():
        matrix = torch.rand(3, 6, 6)
        return matrix @ matrix.mT + torch.eye(6)

    inputs = Inputs(lambda: torch.rand(2, 6, 6).tril(), symmetric, lambda: torch.rand(6, 6), torch.rand(6, 6).tril(), definite)
    structures = cases.Fresh(inputs, 1).structures
    for name in ("normal", "offset", "outliers"):
        lower, same, full, constant, solvable = cases.make_inputs(inputs, name, 1, structures)
        assert torch.equal(lower, lower.tril()) and torch.equal(same, same.T) and not torch.equal(full, full.tril()), name
        assert torch.equal(solvable, solvable.mT) and not torch.linalg.cholesky_ex(solvable).info.any(), name
    assert not torch.equal(cases.make_inputs(inputs, "normal", 1, structures)[3].triu(1), torch.zeros(6, 6))


def test_complex_matrices_keep_their_structure():
    def matrices():
        return torch.randn(3, 6, 6, dtype=torch.complex64)

    def hermitian():
        matrix = matrices()
        return matrix + matrix.mH

    def definite():
        matrix = matrices()
        return matrix @ matrix.mH + torch.eye(6)

    inputs = Inputs(hermitian, definite, lambda: matrices().tril(), matrices)
    structures = cases.Fresh(inputs, 1).structures
    for name in ("normal", "offset", "outliers"):
        same, solvable, lower, full = cases.make_inputs(inputs, name, 1, structures)
        assert torch.equal(same, same.mH) and same.imag.any() and torch.equal(lower, lower.tril()) and not torch.equal(full, full.mH), name
        assert torch.equal(solvable, solvable.mH) and not torch.linalg.cholesky_ex(solvable).info.any(), name


def test_what_is_in_order_stays_so_and_shares_may_be_nothing():
    grid = torch.linspace(0, 1, 65)
    moved, = cases.Fresh(Inputs(grid), 1)(5)
    assert (moved.diff() >= 0).all() and not torch.equal(moved, grid)
    inputs = Inputs(lambda: torch.rand(16, 32).softmax(-1))
    structures = cases.Fresh(inputs, 1).structures
    for name, some in (("ties", True), ("ties positive", False), ("zeros", False)):
        shares, = cases.make_inputs(inputs, name, 1, structures)
        assert (shares == 0).any() == some and torch.allclose(shares.sum(-1), torch.ones(16)), name
    value, = make("outliers fraction ends", torch.rand(64, 64))
    assert (value == 1).any() and (value == 0).any() and 0 <= value.min() and value.max() <= 1


def asks_of(inputs, function, own=()):
    with asks.Asked(inputs, own) as asked:
        function(*inputs)
    return asked.special


def test_what_is_compared_with_exactly_is_not_moved():
    x = torch.tensor([-1.0, 0.5, 2.0])
    with asks.Asked([x]) as asked:
        x != -1, x > 2
    moved, = asked.with_marks([x], [x.double() + 1e-3])
    assert moved.tolist() == [-1.0, 0.501, 2.001]


def test_numbers_that_a_reference_cannot_do_with_are_forgotten():
    for accepted, left in (([0], {0: [0]}), ([], {}), ([0, 70], {})):
        asked = asks.Asked([torch.arange(8)])
        asked.special = {0: [0, 70]}
        assert asked.forget(cases.is_integer, lambda special: special[0][0] in accepted) and asked.special == left
        assert not left or not asked.forget(tensors.is_inexact, None)


def test_fractions_among_arguments_are_others_with_other_values():
    inputs = Inputs(torch.rand(8, 8), 0.5, 3)
    for other, expected in ((True, 0.375), (False, 0.5)):
        assert cases.make_inputs(inputs, "tiny", 1, other_numbers=other)[1:] == [expected, 3]
    assert cases.make_inputs(inputs, "given", 1, other_numbers=True)[1] == 0.5
    assert cases.with_other_numbers(inputs, [torch.rand(2), 3], 1) is None


def test_what_a_reference_asks_decides_what_it_is_given():
    with asks.Asked() as asked:
        torch.rand(3).clamp(-2.0, 3.0) > 7
    assert asked.alternatives("outliers") == [] and asked.threshold == 7
    with asked:
        torch.nan_to_num(torch.rand(3)).clamp(max=1e4)
    assert asked.alternatives("normal") == [] and asked.alternatives("outliers") == [
        "outliers far 10000 nan", "outliers far 10000 nan alone", "outliers far 10000"]
    ids, targets = torch.arange(1, 65), torch.arange(64)
    with asks.Asked([ids, targets]) as asked:
        torch.nn.functional.cross_entropy(torch.rand(64, 64) * (ids != 0), targets, ignore_index=-1)
    assert asked.special == {0: [0], 1: [-1]}
    assert asks_of([targets], lambda targets: torch.nn.CrossEntropyLoss()(torch.rand(64, 64), targets)) == {}
    some, others = cases.make_inputs(Inputs(ids, targets), cases.CONSTANTS, 1, None, asked.special)
    assert 0 < (some == 0).sum() < 32 and 0 < (others == -1).sum() < 32 and some.dtype == ids.dtype
    numbers = asks_of([ids, torch.rand(8, 8)], lambda ids, x: (ids.view(8, 8)[1:].int() != 70, ids.clamp(0, 99), x[0].double() == -9))
    assert numbers == {0: [70, -1, 0, 99, 100], 1: [-9]}
    limit = torch.tensor([3, 5])
    numbers = asks_of([ids], lambda ids: (torch.isin(ids, limit), ids == limit[0] + 4, ids + 1 == 2, ids[:2] > limit), [limit])
    assert numbers == {0: [3, 5, 7]}
    with asks.Asked([torch.rand(2)], [limit]) as asked:
        torch.minimum(torch.rand(2), -limit * 100), torch.rand(2).abs() < math.inf
    assert asked.threshold == 500 and asked.for_numbers
    value, = make("outliers far 10000 nan", torch.rand(64, 64))
    assert value.isnan().any() and value.isinf().any() and (value[value.isfinite()].abs() > 1e5).any()


def parts_of(function, *inputs):
    with asks.Asked(inputs) as asked:
        output = function(*inputs)
    return [part.tolist() for part in asked.parts_of([output]).of([output])]


def test_parts_follow_what_is_put_together():
    x, y = torch.tensor([[1.0, 2.0]]), torch.tensor([[30.0, 40.0]])
    assert parts_of(lambda x, y: torch.stack((x, y), -1).flatten(1), x, y) == [x.tolist(), y.tolist()]
    assert parts_of(lambda x, y: torch.cat((x, y), 0).T.contiguous()[None], x, y) == [[[[1], [2]]], [[[30], [40]]]]
    assert parts_of(lambda x, y: torch.cat((torch.cat((x, y), 1), torch.cat((x, y), 1))), x, y) == [[[1, 2]], [[30, 40]], [[1, 2]], [[30, 40]]]
    assert parts_of(lambda x, y: torch.cat((x[:, :1], y, x[:, 1:]), 1).view(2, 2), x, y) == [[[1]], [30, 40], [[2]]]
    assert len(parts_of(lambda x, y: torch.cat((x, y), 1).abs(), x, y)) == 1
    assert parts_of(lambda x, y: torch.cat((x[0], y[0])), x, y) == [[1, 2], [30, 40]]
    assert len(parts_of(lambda x, y: torch.stack((x.sum(), y.sum())), x, y)) == 1
    assert len(parts_of(lambda x: torch.stack([torch.tanh(x)] * 1000, 1), x)) == 1
    assert parts_of(lambda x, y: torch.stack([x[0], y[0], 0 * x[0]] * 5), x, y) == [[y[0].tolist()] * 5, [[1, 2], [0, 0]] * 5]


if __name__ == "__main__":
    sys.exit(run(globals()))
