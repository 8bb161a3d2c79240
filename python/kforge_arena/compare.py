"""Comparing a candidate's outputs with the reference: numbers for the verdict, words for a person."""

import torch

# KernelBench's tolerance by dtype of the output; under the policy `mixed` the half-precision one holds.
_TOLERANCE = {torch.float64: 1e-4, torch.float32: 1e-4, torch.float16: 1e-2, torch.bfloat16: 1e-2}
_STABLE_ERROR = {torch.float64: 1e-6, torch.float32: 1e-3, torch.float16: 2e-2, torch.bfloat16: 5e-2}


def tolerance(dtype, precision):
    return 1e-2 if precision == "mixed" else _TOLERANCE.get(dtype, 1e-4)


def stable_error(dtype, precision):
    return 5e-2 if precision == "mixed" else _STABLE_ERROR.get(dtype, 1e-3)


def relative_error(actual, exact):
    """Largest deviation relative to the largest value of the output."""
    if actual.numel() == 0:
        return 0.0
    scale = exact.abs().max().item()
    return (actual.double() - exact).abs().max().item() / max(scale, 1e-30)


def _indices(flat_index, shape):
    result = []
    for size in reversed(shape):
        result.append(flat_index % size)
        flat_index //= size
    return list(reversed(result))


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
    steps = hit.diff().unique()
    if len(steps) == 1:
        return f"every {int(steps[0])}th index of dim {dim} from {first} to {last} (size {size})"
    return f"{count} of {size} indices of dim {dim}, between {first} and {last}"


def _pattern(actual, exact, mask):
    """A guess at what kind of mistake it is, where the numbers show one."""
    if not actual.any():
        return "the output is zero everywhere"
    if mask.float().mean() < 0.5:
        return None
    if actual.dim() == 2 and actual.shape[0] == actual.shape[1]:
        if torch.allclose(actual.T.double(), exact, rtol=1e-3, atol=1e-5):
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


def _describe(index, actual, exact, mask, count_text):
    lines = [f"output {index} {list(actual.shape)}: {int(mask.sum())} of {mask.numel()} values {count_text}"]
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


def check_form(forms, eager):
    """Compares counts, shapes and dtypes: {"outcome", "evidence"}, or None when they agree."""
    if len(forms) != len(eager):
        return {"outcome": "shape", "evidence": f"{len(forms)} outputs, expected {len(eager)}"}
    for index, ((_, shape), e) in enumerate(zip(forms, eager)):
        if shape != list(e.shape):
            return {"outcome": "shape", "evidence": f"output {index} has shape {shape}, expected {list(e.shape)}"}
    for index, ((dtype, _), e) in enumerate(zip(forms, eager)):
        wanted = str(e.dtype).removeprefix("torch.")
        if dtype != wanted:
            return {"outcome": "dtype", "evidence": f"output {index} is {dtype}, expected {wanted}"}
    return None


def compare(actual, eager, exact, half, precision):
    """Metrics of outputs of the right form.

    `exact` is the fp64 result, `half` the result under autocast (policy mixed) or None.
    "violations" counts values outside KernelBench's tolerance from both the eager and the exact result.
    """
    report = {"outcome": "pass", "evidence": "", "error": 0.0, "eager_error": 0.0, "half_error": 0.0,
              "epsilon": 0.0, "stable": True}
    for index, (a, e, x) in enumerate(zip(actual, eager, exact)):
        if not e.dtype.is_floating_point:
            mask = a != e
            if mask.any():
                return {"outcome": "values",
                        "evidence": _describe(index, a.long(), e.double(), mask, "differ (integers must be equal)")}
            continue
        bad = ~torch.isfinite(a)
        if bad.any():
            return {"outcome": "non_finite", "evidence": _describe(index, a, x, bad, "are NaN or infinite")}
        limit = tolerance(e.dtype, precision)
        distance = (a.double() - x).abs()
        mask = (distance > limit + limit * x.abs()) & ((a.double() - e.double()).abs() > limit + limit * e.double().abs())
        error = relative_error(a, x)
        eager_error = relative_error(e, x)
        if error > max(stable_error(e.dtype, precision), 8 * eager_error):
            report["stable"] = False
            if not mask.any():
                mask = distance > 0.5 * distance.max()
        if mask.any() and not report["evidence"]:
            report["outcome"] = "values"
            report["evidence"] = _describe(index, a, x, mask, f"differ by more than {limit:g} + {limit:g}*|expected|")
        report["epsilon"] = max(report["epsilon"], torch.finfo(e.dtype).eps)
        report["error"] = max(report["error"], error)
        report["eager_error"] = max(report["eager_error"], eager_error)
        if half is not None:
            report["half_error"] = max(report["half_error"], relative_error(half[index], x))
    return report
