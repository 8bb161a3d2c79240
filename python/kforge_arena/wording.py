"""Where an output differs from what is expected, and what kind of mistake that may be, in words."""

import functools

import torch


def in_words(report):
    """A report whose evidence is text. It takes longer than to compare, and is of no use where the difference is excused."""
    said = lambda text: text() if callable(text) else text
    errors = [{**row, "where": said(row.get("where", ""))} for row in report.get("errors", ())]
    return {**report, "evidence": said(report["evidence"]), "errors": errors}


def of_difference(name, actual, exact, mask, count_text):
    """What tells of a difference when it is asked."""
    return functools.partial(_words, name, actual, exact, mask, count_text)


def of_the_worst(name, actual, exact):
    """Which value is the furthest away, and how many are nearly as far; when it is asked."""
    def words():
        deviation = (actual.double() - exact).abs()
        worst = deviation.max()
        return _words(name, actual, exact, deviation > 0.5 * worst, f"are more than half as far away as the worst one, which is by {worst:.3g}")
    return words


def _words(name, actual, exact, mask, count_text):
    lines = [f"{name} {list(actual.shape)}: {int(mask.sum())} of {mask.numel()} values {count_text}"]
    if mask.dim():
        lines.append("affected: " + "; ".join(_along(mask, d) for d in range(mask.dim()) if mask.shape[d] > 1))
    pattern = _pattern(actual, exact, mask)
    if pattern:
        lines.append(pattern)
    flat = mask.flatten().nonzero().flatten()
    deviation = (actual.double() - exact).abs().nan_to_num(nan=float("inf")).flatten()
    worst = int(flat[deviation[flat].argmax()])
    for label, position in (("first", int(flat[0])), ("worst", worst), ("last", int(flat[-1]))):
        where = _indices(position, actual.shape)
        lines.append(
            f"  {label} {where}: expected {exact.flatten()[position].item():.9g}, "
            f"got {actual.flatten()[position].item():.9g}")
    return "\n".join(lines)


def _indices(flat_index, shape):
    result = []
    for size in reversed(shape):
        result.append(flat_index % size)
        flat_index //= size
    return list(reversed(result))


_ENDINGS = {2: "nd", 3: "rd"}


def _along(mask, dim):
    """Which indices of one dimension are affected, in words."""
    size = mask.shape[dim]
    others = [d for d in range(mask.dim()) if d != dim]
    hit = mask.any(dim=others).nonzero().flatten() if others else mask.nonzero().flatten()
    count, first, last = len(hit), int(hit[0]), int(hit[-1])
    if count == size:
        return f"every index of dim {dim} ({size})"
    span = last - first + 1
    if count == span:
        if count == 1:
            where = " (the last one)" if last == size - 1 else ""
            return f"only index {first} of dim {dim} (size {size}){where}"
        tail = ", the tail" if last == size - 1 else ", the head" if first == 0 else ""
        return f"indices {first} to {last} of dim {dim} (size {size}){tail}"
    if count == 2:
        return f"indices {first} and {last} of dim {dim} (size {size})"
    steps = hit.diff().unique()
    if len(steps) == 1:
        step = int(steps[0])
        return f"every {step}{_ENDINGS.get(step, 'th')} index of dim {dim} from {first} to {last} (size {size})"
    return f"{count} of {size} indices of dim {dim}, between {first} and {last}"


def _pattern(actual, exact, mask):
    """A guess at what kind of mistake it is, where the numbers show one."""
    if not actual.any():
        return "the output is zero everywhere"
    if mask.float().mean() < 0.5:
        return None
    if actual.dim() == 2 and actual.shape[0] == actual.shape[1]:
        transposed = actual.T.double()
        if all(torch.allclose(transposed[:rows], exact[:rows], rtol=1e-3, atol=1e-5) for rows in (1, None)):  # the first row tells mostly
            return "the output is the transpose of what is expected"
    safe = exact.abs() > 1e-3 * exact.abs().max()
    if safe.any():
        ratio = actual.double()[safe] / exact[safe]
        if ratio.std(unbiased=False) < 1e-3 * ratio.mean().abs():
            return f"the output is {ratio.mean().item():.6g} times what is expected, everywhere"
    difference = actual.double() - exact
    if difference.std(unbiased=False) < 1e-3 * difference.mean().abs():
        return f"the output is off by the constant {difference.mean().item():.6g}"
    return None
