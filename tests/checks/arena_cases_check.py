"""Checks the inputs of cases: distributions, integers, structures, weights, what is heard from a reference. Needs PyTorch.

Run as a script: the names of the tests that failed with their traces, exit 0 if all is well, 1 if not. Parts of names
as arguments select.
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from _small_tests import raises, run  # noqa: E402

from kforge_arena import asked as asks, cases, compare, distributions, infinities, integers, nearly, ranges, rearranged, sizes, tensors, ties, weights  # noqa: E402


class Inputs:
    """A problem as far as cases see one."""

    def __init__(self, *values):
        self.values = values

    def make_inputs(self, seed, own_seeds=True):
        torch.manual_seed(seed)
        return [value() if callable(value) else value for value in self.values]


def make(name, *values, seed=1):
    return cases.make_inputs(Inputs(*values), name, seed)


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


def test_integers_keep_their_values():
    index, x = torch.arange(6), torch.rand(6, 2)
    for name in distributions.DISTRIBUTIONS[1:]:
        assert torch.equal(make(name, index, x)[0], index), name
        assert make(name, index) is None, name
    assert make("normal", torch.rand(4).half())[0].dtype == torch.float16
    assert make("rows", torch.tensor(2.0))[0].dim() == 0
    assert all(make(name, x, torch.rand(0, 2))[1].shape == (0, 2) for name in distributions.DISTRIBUTIONS)


def test_what_is_fixed_moves_and_keeps_its_strides():
    fixed = torch.rand(6, 4).t()[:, ::2]
    fresh = cases.Fresh(Inputs(fixed, torch.arange(3), lambda: torch.rand(3)), 1)
    moved = fresh(5)
    assert fresh.fixed == [True, False, False] and moved[0].stride() == fixed.stride() and moved[1].tolist() == [0, 1, 2]


def test_what_is_the_same_in_every_call_is_varied():
    x, mask, order, starts = lambda: torch.rand(64), torch.ones(64, dtype=torch.bool), torch.arange(64), torch.arange(0, 64, 4)
    varied = make(cases.CONSTANTS, x, mask, order, starts, 0.5, 7, None, [mask], lambda: torch.randint(9, (64,)))
    given = make("given", x, seed=1)
    assert torch.equal(varied[0], given[0]) and 16 < varied[1].sum() < 48
    assert not torch.equal(varied[2], order) and torch.equal(varied[2].sort().values, order)
    assert varied[4:7] == [0.375, 7, None] and not varied[7][0].all()
    assert make(cases.CONSTANTS, x, 7) is None and make(cases.CONSTANTS, x, 0.0)[1] == 0.25
    assert make(cases.CONSTANTS + " present", x, 0.0) is None


def test_parts_begin_elsewhere_but_in_order():
    for count in (255, 256):
        starts = torch.arange(0, 4 * count, 4)
        empty, present, same = (integers.vary(starts, starts, kind) for kind in ("", "present", "spread"))
        for moved in (empty, present):
            assert (moved.diff() >= 0).all() and moved[0] == 0 and moved[-1] == starts[-1] and not torch.equal(moved, starts)
        assert (empty.diff() == 0).any() and (present.diff() > 0).all() and torch.equal(same, starts)


def test_rows_of_masks_are_blank_and_numbers_missing_where_that_is_allowed():
    draws = torch.rand(2, 16, 64) < 0.5
    ones = torch.ones(16, 64, dtype=torch.long)
    for pair in (draws, (draws[0], draws[0]), (ones, ones)):
        assert not integers.vary(*pair, "").any(1).all() and integers.vary(*pair, "present").any(1).all()
    classes = torch.randint(0, 16, (2, 4096))
    counts = integers.vary(*classes, "").bincount(minlength=16)
    assert (counts == 0).any() and (counts == 1).any() and integers.vary(*classes, "present").bincount().all()
    for _ in range(64):  # of few there could be one of each by chance
        assert (integers.vary(*torch.randint(0, 4, (2, 64)), "").bincount(minlength=4) == 1).any()
    draws = [torch.arange(24) >= torch.randint(1, 24, (64, 1)) for _ in range(2)]
    rows = integers.vary(*draws, "present").float().mean(1)
    assert not torch.equal(rows, draws[0].float().mean(1)) and 0 < rows.min() and rows.max() < 1


def test_batches_are_sliced_where_that_changes_something():
    x, y, scale, weight = torch.rand(8, 3), torch.rand(8), torch.tensor(2.0), torch.rand(3, 3)
    for name, size in (("batch 1", 1), ("batch half", 4), ("batch less one", 7)):
        a, b, c, d = make(name, x, y, scale, weight)
        assert a.shape == (size, 3) and b.shape == (size,) and torch.equal(a, x[:size]) and a.is_contiguous()
        assert c.dim() == 0 and d.shape == (3, 3)
    assert make("batch half", torch.rand(3, 2)) is None and make("batch 1", torch.rand(1, 2)) is None
    assert make("batch less one", torch.tensor(1.0)) is None


def test_an_order_of_fewer_rows_is_an_order():
    order, columns = torch.randperm(64), torch.stack([torch.randperm(64) for _ in range(3)], 1).to(torch.int32)
    labels, truth, numbers = torch.arange(64) % 63, torch.ones(64, dtype=torch.bool), torch.randperm(64).float()
    for name, size in (("batch 1", 1), ("batch few", 3), ("batch half", 32), ("batch less one", 63)):
        one, more, *others = make(name, order, columns, torch.arange(64), labels, truth, numbers)
        assert one.sort().values.tolist() == list(range(size)) and torch.equal(one.argsort(), order[:size].argsort()), name
        assert more.dtype == torch.int32 and more.is_contiguous() and torch.equal(more.argsort(0), columns[:size].argsort(0))
        assert (more.sort(0).values == torch.arange(size)[:, None]).all()
        for other, whole in zip(others, (torch.arange(64), labels, truth, numbers)):
            assert torch.equal(other, whole[:size]), name


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


def test_integers_are_crowded_unless_they_differ_or_are_in_order_by_construction():
    even = integers.vary(*torch.randint(0, 8, (2, 512)), "")
    assert (even == 7).sum() > 300 and even.min() >= 0
    shuffled = torch.randperm(64)
    assert torch.equal(integers.vary(shuffled, torch.randperm(64), ""), shuffled)
    best = torch.rand(2, 64, 8).topk(2).indices
    few = integers.vary(*best, "")
    assert (few[:, 0] != few[:, 1]).all() and (few == best[0, 0]).all(-1).sum() > 32
    rows = integers.vary(*torch.randint(0, 8, (2, 16, 64)), "")
    assert (rows == 7).all(1).any() and not (rows == 7).all(1).all()
    assert (integers.vary(*torch.randint(0, 8, (2, 512)), integers.COLUMNS) == 7).sum() > 510
    ordered = integers.vary(*torch.randint(0, 8, (2, 512)).sort().values, "")
    assert (ordered.diff() >= 0).all() and (ordered == 7).sum() > 300


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


def test_the_same_integer_everywhere_becomes_others():
    for value, count in ((0, 2), (1, 2), (9, 9)):
        one = torch.full((200, 30), value)
        other, = make(cases.CONSTANTS + " present", one)
        assert (other[:, 0] == value).all() and len(other.unique()) == count and other.max() <= max(value, 1), value
    assert make(cases.CONSTANTS, torch.full((4,), -1)) is None and make(cases.CONSTANTS, torch.tensor(-3)) is None


def test_single_integers_change_unless_they_are_kept():
    for value, least, most in ((3, 1, 2), (1, 0, 0), (0, 2, 8)):
        for single in (torch.tensor(value), torch.tensor([value])):
            other, = make(cases.CONSTANTS, single)
            assert least <= int(other) <= most and other.shape == single.shape, value
            assert make(f"{cases.CONSTANTS} {integers.SINGLE_KEPT}", single) is None
    assert int(make(cases.CONSTANTS + " present", torch.tensor(0))[0]) == 1


def test_nearly_the_same_inputs_differ_in_a_few_numbers():
    graph, offsets, lengths = torch.randint(100, (2, 999)), torch.arange(50), lambda: torch.randint(1, 9, (20,))
    draws = [(torch.randn(64, 64), graph, offsets, torch.ones(32, 32).tril().bool(), lengths(), torch.tensor(3)) for _ in range(2)]
    near = nearly.Nearly(*draws)
    changed = [near._with_few_others(draws[0], None) for _ in range(20)]
    counts = list(zip(*([(a != b).sum().item() for a, b in zip(draws[0], other)] for other in changed)))
    assert all(0 < count <= 64 * 64 // 256 for count in counts[0])
    assert max(counts[1]) > 0 and max(counts[1]) <= 2 * 4 and all(torch.equal(each[1].sort().values, graph.sort().values) for each in changed)
    assert max(counts[3]) > 0 and all(torch.equal(each[3].sum(1), draws[0][3].sum(1)) for each in changed)
    assert not any(counts[2]) and not any(counts[4]) and not any(counts[5])  # in order; others may rest on them; a single number
    alone = nearly.Nearly(*([lengths()] for _ in range(2)))
    one = lengths()
    assert any(not torch.equal(alone([one], None)[0], one) for _ in range(20))
    cells = torch.stack((torch.arange(64) // 8, torch.arange(64) % 8), 1)[torch.randperm(64)]
    assert all(len(rearranged.slightly(cells).unique(dim=0)) == 64 for _ in range(20))


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


def test_ends_of_ranges_come_and_so_does_what_is_drawn_twice():
    low, high = 3, 1 << 40
    lone = torch.randint(low, high, (2, 4, 64))
    assert torch.equal(integers.vary(*lone[:, :, 0], ""), lone[0, :, 0])  # they may differ by construction
    for few in (lone, lone[:, 0, :4]):
        varied = integers.vary(*few, integers.ENDS, ends=(low, high - 1))
        assert {low, high - 1} <= {*varied.flatten().tolist()} and low <= varied.min() and varied.max() < high
        assert len(varied.unique()) < varied.numel()
    problem = Inputs(torch.randn(8, 128), lambda: torch.randint(128, (8,)), lambda: 1 + torch.randint(0, 5, size=(2, 9)).int(),
                     lambda: torch.randperm(16), lambda: torch.randint(100, (9,)) * 3)
    found = ranges.heard(problem, problem.make_inputs(1), 1)
    assert found == {1: (0, 127), 2: (1, 5)}, found
    scores, labels = cases.make_inputs(Inputs(*problem.values[:2]), f"{cases.COMBINED} large {integers.COLUMNS}", 1, ranges={1: (0, 127)})
    assert 0 < int((scores.argmax(1) == labels).sum()) and {0, 127} <= {*labels.tolist()}


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


def test_other_masks_come_with_other_values():
    scores, mask = make(cases.COMBINED + " large", lambda: torch.randn(64, 64), torch.ones(64, 64, dtype=torch.long))
    assert scores.std() > 30 and 0 < mask.sum() < 64 * 64
    behind, holes = mask.diff().sign(), (mask.diff() != 0).sum(1) > 1
    assert (behind > 0).all(1).sum() == 0 and ((mask[:, 0] == 0) & (mask[:, -1] == 1)).any() and holes.any()
    dones = make(f"{cases.COMBINED} large {integers.COLUMNS}", lambda: torch.randn(64, 64), lambda: torch.rand(64, 64) < 0.1)[1]
    assert (~dones.any(0)).any() and dones.all(0).any()
    objects, = make(cases.CONSTANTS, lambda: torch.rand(64, 32, 32) < 0.5)
    assert ((objects.sum((1, 2)) > 0) & (objects.any(2).sum(1) < 20)).any() and objects[1].sum() > 64
    assert make(cases.COMBINED + " large", lambda: torch.randn(4)) is None


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


def test_fixed_integers_are_rearranged_line_by_line():
    nodes = torch.arange(512)
    ring = torch.stack((torch.cat((nodes, nodes)), torch.cat((nodes.roll(1), nodes.roll(-1)))))
    best = torch.rand(300, 8).topk(2).indices
    cells = torch.stack((nodes * 7 // 23, nodes * 7 % 23 + nodes), 1)
    for given in (ring, ring.T.contiguous(), best, cells):
        other, = make(cases.CONSTANTS, given)
        long, short = (other, given) if given.shape[0] > 2 else (other.T, given.T)
        assert given is best or {*map(tuple, long.tolist())} != {*map(tuple, short.tolist())}
        if given is not cells:
            assert (long[:, 0] != long[:, 1]).all()
        if given is not best:
            assert len(long.unique(dim=0)) == len(long)
        assert (long.amax(0) <= short.amax(0)).all()
    grid = torch.cartesian_prod(torch.arange(16), torch.arange(32))
    assert torch.equal(make(cases.CONSTANTS, grid)[0].unique(dim=0), grid)
    sizes, = make(cases.CONSTANTS, torch.tensor([[480, 640]] * 64))
    assert sizes.min() >= 359 and (sizes < torch.tensor([480, 640])).all() and len(sizes.unique()) > 32


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
