"""Whether a problem is worth solving: ok, degenerate or random. One that is broken in itself never gets here."""

import torch

from . import cases, compare


def _outputs(problem, model, inputs):
    """Complex ones as pairs of real numbers."""
    return [torch.view_as_real(o.resolve_conj()) if o.is_complex() else o for o in problem.forward(model, inputs)]


def vet(problem, model, fresh, seeds):
    inputs = problem.make_inputs(seeds["given"])
    torch.manual_seed(cases.seed_of("normal", seeds))
    first = _outputs(problem, model, inputs)
    torch.manual_seed(cases.seed_of("large", seeds))
    again = _outputs(problem, model, inputs)
    for index, (a, b) in enumerate(zip(first, again)):
        if a.dtype.is_floating_point and not torch.isfinite(a).all():
            count = int((~torch.isfinite(a)).sum())
            return _vetted("broken", "non_finite", f"output {index} has {count} NaN or infinite values")
        if not torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-5):
            gap = (a.double() - b.double()).abs().max().item()
            return _vetted("random", "differs", f"two runs on the same inputs differ by up to {gap:.3g}")
    other = _outputs(problem, model, fresh(cases.seed_of("normal", seeds)))
    complaints = [_degenerate(i, a, b) for i, (a, b) in enumerate(zip(first, other))]
    if all(complaints):
        return _vetted("degenerate", complaints[0][0], complaints[0][1])
    return _vetted("ok", "", "")


def _degenerate(index, output, other):
    if output.numel() == 0:
        return "empty", f"output {index} is empty"
    wide = output.double()
    tolerance = compare.tolerance(output.dtype, "strict")
    if wide.abs().max().item() <= tolerance:
        return "zero", f"output {index} is at most {wide.abs().max().item():.3g}: zeros would pass"
    if output.numel() > 1 and (wide.max() - wide.min()).item() <= tolerance * wide.abs().max().item():
        return "constant", f"output {index} is the constant {wide.flatten()[0].item():.6g}"
    if output.shape == other.shape and torch.allclose(wide, other.double(), rtol=1e-4, atol=1e-6):
        return "insensitive", f"output {index} does not depend on the inputs"
    return None


def _vetted(state, reason, evidence):
    return {"state": state, "reason": reason, "evidence": evidence}
