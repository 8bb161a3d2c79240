"""Where a result jumps (indices, thresholds, rounding) the last place of an input decides, and so does the order of a sum.
There the reference has more than one answer, and a candidate may give any of them, or one in between."""

import contextlib

import torch

from . import compare, problem as problems, tensors

_PAIRS = 4  # of moves and their opposites: of two answers to a question of more or less, one shows in each
_PLACES = 16  # units of the last place: further than any order of a sum goes, far less than a lower precision would
_MOST_WRONG = 0.01  # of the values: where more differ it is not for this
_FIRST_ANSWERS = 3  # without a move, and of the first pair
_HOPELESS, _MANY = 0.9, 16  # of the differences, and how many: where so many have not been explained by then, others will not explain all
_FEW_ROWS = 4  # which one sum each may be to blame for


def moves(inputs, device):
    """Inputs moved by their last places, in double precision; first those that are not moved."""
    generator = torch.Generator(device).manual_seed(0)
    yield tensors.map_tensors(inputs, tensors.widened)
    for _ in range(_PAIRS):
        noise = [torch.randn(tensors.real(tensor).shape, generator=generator, device=tensor.device) for tensor in tensors.tensors_of(inputs)]
        for direction in (1, -1):
            shares = iter(noise)

            def move(tensor):
                share = next(shares)
                return _move(tensors.widened(tensor).clone(), tensor.dtype, direction * share) if tensors.is_inexact(tensor) else tensor

            yield tensors.map_tensors(inputs, move)


def answers(problem, exactly, exact_model, model, inputs, device, with_marks):
    """What the reference makes of inputs and weights next to these, by a function that computes exactly with `exact_model`: outputs, as
    often as they are asked for. `with_marks` puts back what must not be moved."""
    for number, moved in enumerate(with_marks(inputs, each) for each in moves(inputs, device)):
        with _moved_weights(exact_model, model, number):
            try:
                outputs = exactly(moved)
            except problems.ProblemError:  # a reference that fixes its dtype
                outputs = None
        if outputs is None:
            kinds = iter([t.dtype for t in tensors.tensors_of(inputs)])
            outputs = problem.forward(model, tensors.map_tensors(moved, lambda t: t.to(next(kinds))))
        yield outputs


@contextlib.contextmanager
def _moved_weights(exact_model, model, number):
    """As inputs are: not at first, then in pairs. Where inputs are next to nothing, results hang by the weights alone."""
    pairs = [(exact, of_model.dtype) for exact, of_model in zip(exact_model.state_dict().values(), model.state_dict().values())
             if number and exact.dtype in (torch.float64, torch.complex128) and tensors.is_inexact(of_model)]
    kept = [exact.clone() for exact, _ in pairs]
    generator, direction = torch.Generator(pairs[0][0].device if pairs else "cpu").manual_seed((number + 1) // 2), number % 2 * 2 - 1
    for exact, dtype in pairs:
        _move(exact, dtype, direction * torch.randn(tensors.real(exact).shape, generator=generator, device=exact.device))
    try:
        yield
    finally:
        for (exact, _), before in zip(pairs, kept):
            exact.copy_(before)


def _move(wide, dtype, noise):
    """In place, by some last places of the type that it had before."""
    places = _PLACES if dtype.itemsize >= 4 else 1
    tensors.real(wide).mul_(1 + places * torch.finfo(dtype).eps * noise.double())
    return wide


def is_called_for(report, precision):
    """Whether something is wrong with a comparison that could be for such a reason."""
    return report["outcome"] == "values" or any(
        row["error"] > max(2 * row["eager_error"], compare.noticeable(row["epsilon"], precision)) for row in report.get("errors", ()))


def excused(actual, truths, others, precision):
    """The outputs, with what is expected in place of what one of the other answers explains."""
    given = [tensors.real(a) for a in actual]
    actual = [truth.defined(a) if a.dtype.is_floating_point else a for a, truth in zip(given, truths)]
    far = [differ(a, truth, truth.exact, precision) for a, truth in zip(actual, truths)]
    wrong = [w & differ(a, truth, truth.eager, precision) for a, truth, w in zip(actual, truths, far)]
    for number, truth in enumerate(truths):
        if _is_too_much(wrong[number], truth, precision):  # that says nothing of other outputs
            far[number] = wrong[number] = torch.zeros_like(far[number])
    # What eager says as well needs to be explained like the rest: by the policy it is judged by what is exact alone.
    unexplained = [f.clone() for f in far]
    hopeless = max(_HOPELESS * sum(int(w.sum()) for w in wrong), _MANY)
    for number, outputs in enumerate(others, 1):
        for a, truth, left, other in zip(actual, truths, unexplained, map(tensors.real, outputs)):
            if other.shape == a.shape:
                left &= differ(a, truth, other, precision) & _is_further(a, truth, other)
        left = [each & w for each, w in zip(unexplained, wrong)]
        if not any(map(torch.any, unexplained)):
            break
        if number >= _FIRST_ANSWERS and sum(int(each.sum()) for each in left) > hopeless and _rows(left) > _FEW_ROWS:
            break
    return [torch.where(f & ~left, truth.exact.to(a.dtype), a) if f.any() else a
            for a, truth, f, left in zip(given, truths, far, unexplained)]


def _is_too_much(wrong, truth, precision):
    if int(wrong.sum()) > max(4, _MOST_WRONG * wrong.numel()):
        return True
    # Where eager is exact nearly everywhere, so is what comes before the jumps, and no order of a sum is to blame.
    return _lines(wrong) > compare.OFTEN * (_lines(differ(truth.eager, truth, truth.exact, precision)) + 1)


def rows_far_off(output, truth):
    """How many are, by as much as an output is left out for where eager is."""
    distance = (truth.defined(tensors.real(output)).double() - truth.exact).abs_()
    return _lines(~(distance <= compare.WELL_POSED * truth.scale))


def _lines(mask):
    """One sum each may be to blame for all values of a row."""
    return int(mask.sum()) if mask.dim() < 2 else _rows([mask])


def _rows(masks):
    return sum(int(mask.reshape(-1, mask.shape[-1]).any(-1).sum()) if mask.dim() and mask.numel() else 1 for mask in masks)


def _is_further(one, truth, other):
    """Than one of the other answers from what is exact. Of a row that is divided by a sum which nearly cancels out all values are far
    from exact ones, on either side, by what the order of that sum makes of it."""
    if not one.dtype.is_floating_point:
        return torch.ones(one.shape, dtype=torch.bool, device=one.device)
    return (one.double() - truth.exact).abs_() > (other - truth.exact).abs()


def differ(one, truth, other, precision):
    if not one.dtype.is_floating_point:
        return one != other
    distance, noticeable = (one.double() - other).abs_(), truth.scale * compare.noticeable(torch.finfo(one.dtype).eps, precision)
    limit = compare.tolerance(one.dtype, precision)
    allowed = limit + truth.eager_error * truth.scale  # beside large values that is less than what is noticeable next to these
    return distance > (noticeable if noticeable <= allowed else (allowed + limit * other.double().abs()).clamp_(max=noticeable))
