"""Values of an output that are judged apart from others: beside zeros, beside what is masked, where results jump. See run.py."""

import torch
from kforge_arena import compare, jumps


def test_most_values_of_those_that_are_not_zero_count():
    generator = torch.Generator().manual_seed(5)
    exact = torch.zeros(1 << 17, dtype=torch.float64)
    exact[::100] = 1e-3 * torch.rand(exact[::100].shape, generator=generator, dtype=torch.float64)
    exact[700] = 1e6
    truth = compare.Truth(exact.float(), exact)
    actual = exact.float()
    actual[:-1000:100] = 0
    actual[700] = 1e6
    report = compare.compare([actual], [truth], "strict")
    assert report["outcome"] == "values" or all(row["error"] > 0.1 for row in report["spread"]), report


def test_numbers_that_stand_for_nothing_are_judged_apart():
    generator = torch.Generator().manual_seed(6)
    exact = torch.randn(1 << 14, generator=generator, dtype=torch.float64)
    least = torch.finfo(torch.float32).min
    for fill, of_exact, step in ((-1e9, -1e9, 3), (least, torch.finfo(torch.float64).min, 3), (-1e9, -1e9, 500)):
        eager, wide = exact.float(), exact.clone()
        eager[::step], wide[::step] = fill, of_exact
        truth = compare.Truth(eager, compare.within_range(wide, eager))
        assert truth.eager_error < 1e-6 and truth.scale < 10
        for factor, wrong in ((1, False), (1 + 1e-4, True)):
            actual = torch.where(truth.filled, eager, eager * factor)
            report = compare.compare([actual], [truth], "strict")
            assert report["stable"] != wrong and (wrong or report["outcome"] == "pass"), report
        misfilled = torch.where(truth.filled, 0, eager)
        assert compare.compare([misfilled], [truth], "strict")["outcome"] == "values"
        assert compare.bound([eager + 1e-6 * (eager > 0)], [eager], [truth.errors()], "strict") is None


def test_what_jumps_may_jump_as_often_as_that_of_the_reference():
    exact = torch.randn(1 << 17, generator=torch.Generator().manual_seed(7), dtype=torch.float64).mul(20).round()
    eager = exact.float()
    eager[::20000] += 1
    truth = compare.Truth(eager, exact)
    for step, passes in ((10000, True), (100, False)):
        actual = exact.float()
        actual[5::step] -= 1
        assert compare.compare([actual], [truth], "strict")["stable"] == passes, step


def test_inputs_are_moved_there_and_back_and_what_is_infinite_stays():
    values = torch.tensor([1.0, -torch.inf, 3.0])
    moved = [inputs[0] for inputs in jumps.moves([values, torch.tensor([7])], "cpu")]
    assert all(m[1] == -torch.inf and m.dtype == torch.float64 for m in moved)
    for one, other in zip(moved[1::2], moved[2::2]):
        assert one[0] != 1 and abs(one[0] + other[0] - 2) < 1e-12 and abs(one[2] - 3) < 1e-3


def test_where_nothing_is_explained_no_more_answers_are_asked_for():
    exact = torch.zeros(100, 100, dtype=torch.float64)
    exact[0, 0] = 1
    truth, asked = compare.Truth(exact.float(), exact), []

    def answers(explains):
        for number in range(9):
            asked.append(number)
            yield [torch.where(torch.arange(100) % 5 < number, wrong, exact.float()) if explains else exact.float()]

    wrong = exact.float()
    wrong[10:15, :10] = 0.5
    assert torch.equal(jumps.excused([wrong], [truth], answers(False), "strict")[0], wrong) and len(asked) == 3
    asked.clear()
    assert torch.equal(jumps.excused([wrong], [truth], answers(True), "strict")[0], exact.float()) and len(asked) == 6
    asked.clear()
    wrong = exact.float()
    wrong[10, :50] = 0.5  # of one row a single sum may be to blame
    jumps.excused([wrong], [truth], answers(False), "strict")
    assert len(asked) == 9


def test_what_is_masked_by_a_thread_may_be_so_or_not():
    exact = torch.randn(1 << 12, generator=torch.Generator().manual_seed(8), dtype=torch.float64)
    exact[::4] = -1e9
    eager = exact.float()
    eager[4] = 1.5  # next to the threshold
    truth = compare.Truth(eager, exact)
    masked, other = eager.clone(), eager.clone()
    masked[4], other[4] = -1e9, 2.5
    for actual, passes in ((eager, True), (masked, True), (other, False)):
        assert (compare.compare([actual], [truth], "strict")["outcome"] == "pass") == passes, passes
