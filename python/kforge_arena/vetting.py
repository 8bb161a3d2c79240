"""Whether a problem is worth solving: ok, degenerate or random. One that is broken in itself never gets here."""

import torch

from . import cases, compare
from .parts import Parts


def _outputs(problem, model, inputs):
    """Complex ones as pairs of real numbers, infinite ones apart."""
    outputs = [torch.view_as_real(o.resolve_conj()) if o.is_complex() else o for o in problem.forward(model, inputs)]
    return list(Parts(infinities=problem.infinities).named(outputs))


_NOISE = 0.05  # of the largest value: where rounding decides as much of most results, there is nothing to compare


def vet(problem, reference, fresh, seeds):
    model = reference.model(0, "seeded")
    inputs = problem.make_inputs(seeds["given"])
    torch.manual_seed(cases.seed_of("normal", seeds))
    first = _outputs(problem, model, inputs)
    torch.manual_seed(cases.seed_of("large", seeds))
    again = _outputs(problem, model, inputs)
    for (name, a), (_, b) in zip(first, again):
        if a.dtype.is_floating_point and not torch.isfinite(a).all():
            count = int((~torch.isfinite(a)).sum())
            return _vetted("broken", "non_finite", f"{name} has {count} NaN or infinite values")
        if not torch.allclose(a.double(), b.double(), rtol=1e-3, atol=1e-5):
            gap = (a.double() - b.double()).abs().max().item()
            return _vetted("random", "differs", f"two runs on the same inputs differ by up to {gap:.3g}")
    if reference.rounded > _NOISE:
        return _vetted("random", "rounding", f"rounding decides the result: in double precision most of it differs by up to {reference.rounded:.0%} "
                                             "of the largest value")
    other = _outputs(problem, model, fresh(cases.seed_of("normal", seeds)))
    complaints = [_degenerate(name, a, b) for (name, a), (_, b) in zip(first, other)]
    if all(complaints):
        return _vetted("degenerate", complaints[0][0], complaints[0][1])
    return _vetted("ok", "", "")


def _degenerate(name, output, other):
    if output.numel() == 0:
        return "empty", f"{name} is empty"
    wide = output.double()
    tolerance = compare.tolerance(output.dtype, "strict")
    if wide.abs().max().item() <= tolerance:
        return "zero", f"{name} is at most {wide.abs().max().item():.3g}: zeros would pass"
    if output.numel() > 1 and (wide.max() - wide.min()).item() <= tolerance * wide.abs().max().item():
        return "constant", f"{name} is the constant {wide.flatten()[0].item():.6g}"
    if output.shape == other.shape and torch.allclose(wide, other.double(), rtol=1e-4, atol=1e-6):
        return "insensitive", f"{name} does not depend on the inputs"
    return None


def _vetted(state, reason, evidence):
    return {"state": state, "reason": reason, "evidence": evidence}
