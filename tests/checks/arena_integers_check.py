"""Checks whole numbers and truth values among the inputs of cases: indices, masks, where parts begin, cells. Needs PyTorch.

Run as a script: the names of the tests that failed with their traces, exit 0 if all is well, 1 if not. Parts of names
as arguments select.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))

import torch  # noqa: E402

from _inputs import Inputs, make  # noqa: E402
from _small_tests import run  # noqa: E402

from kforge_arena import asked as asks, cases, cells, distributions, integers, nearly, ranges, rearranged  # noqa: E402


def test_integers_keep_their_values():
    index, x = torch.arange(6), torch.rand(6, 2)
    for name in distributions.DISTRIBUTIONS[1:]:
        assert torch.equal(make(name, index, x)[0], index), name
        assert make(name, index) is None, name
    assert make("normal", torch.rand(4).half())[0].dtype == torch.float16
    assert make("rows", torch.tensor(2.0))[0].dim() == 0
    assert all(make(name, x, torch.rand(0, 2))[1].shape == (0, 2) for name in distributions.DISTRIBUTIONS)


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


def test_cells_which_none_comes_twice_still_do_not():
    def places():
        cell = torch.randperm(32 * 32)[:200]
        return cell // 32, cell % 32

    alone = [torch.stack(places(), 1) for _ in range(2)]
    for draws in ([places(), places()], [[each] for each in alone], [[each.T.contiguous()] for each in alone]):
        found = cells.Cells(*draws)
        crowded = [integers.vary(*pair, "") for pair in zip(*draws)]
        kept = found.kept(draws[0], crowded)
        pairs, given = (torch.stack(list(each)) if len(each) == 2 else each[0] if len(each[0]) == 2 else each[0].T for each in (kept, draws[0]))
        assert len(pairs.unique(dim=1).T) == 200 and (pairs == 31).sum(1).max() > 24 and not torch.equal(pairs, given)
    labels = [torch.randint(0, 9, (200,)) for _ in range(2)]
    for draws, own in (([[each] for each in labels], ()), ([places(), places()], (0, 1))):
        assert not cells.Cells(*draws, by_themselves=own).found
    # Many more rows of the best few would have room: that they differ is by chance.
    assert all(len({*each}) < 2 and each[0][1] is None for each in cells.Cells(*([torch.rand(64, 32).topk(4).indices] for _ in range(2))).found)


def test_rows_of_a_compressed_matrix_and_its_columns_are_cells():
    def matrix():
        places = torch.randperm(1024)[:200].sort().values
        return [torch.searchsorted(places, torch.arange(33) * 32), places % 32]

    draws = matrix(), matrix()
    other = [draws[0][0], draws[0][1].clone().fill_(31)]
    assert all(map(torch.equal, cells.Cells(*draws).kept(draws[0], other), draws[0]))


def test_values_are_put_into_cells_where_one_stays():
    x, index = torch.zeros(8), torch.tensor([1, 2])
    y = torch.ones(2)
    puts = (lambda: x.__setitem__(index, y), lambda: x.index_put((index,), y), lambda: x.scatter(0, index, y), lambda: x.index_copy(0, index, y))
    adds = (lambda: x.__setitem__(index, 0.0), lambda: x.index_put((index,), y, True), lambda: x.scatter(0, index, 1.0), lambda: x.index_add(0, index, y),
            lambda: x.__setitem__(slice(2), y), lambda: x.scatter_add(0, index, y))
    for calls, expected in ((puts, True), (adds, False)):
        for call in calls:
            with asks.Asked() as asked:
                call()
            assert asked.puts == expected


def test_what_is_in_order_stays_so_with_marks():
    one, another = (torch.randint(0, 8, (64,)).sort().values for _ in range(2))
    for marks in (-1, 4):
        marked = integers.with_some(one, [marks], rows=True)
        again = integers.in_order_again(one, another, one, marked)
        assert (again.diff() >= 0).all() and (again == marks).any()
    assert torch.equal(integers.in_order_again(one, another, one.flip(0), marked), marked)


def test_padding_is_for_indices():
    ids, starts, table = torch.arange(1, 65), torch.arange(0, 64, 8), torch.rand(65, 2)
    with asks.Asked([ids, starts]) as asked:
        torch.nn.functional.embedding_bag(ids, table, starts, padding_idx=0)
    assert asked.special == {0: [0]}


if __name__ == "__main__":
    sys.exit(run(globals()))
