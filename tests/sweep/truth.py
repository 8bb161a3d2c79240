"""What is right and what is wrong, found out without the arena: by the reference in double precision, on the problem's own inputs and on
a few distributions, with the weights that the problem makes and with others.

A deviation is measured in limits: the larger of four times what eager is wrong by and 64 units of the last place, relative to the
largest value, which is what the policy `strict` allows."""

import copy

import torch

import problems

_EPSILON = torch.finfo(torch.float32).eps
_UNCLEAR = 1e-3  # of the largest value: where eager, or the last place of the inputs, makes such a difference nothing can be said
_MANY_CALLS = 1000

DISTRIBUTIONS = {
    "given": lambda x: x,
    "normal": torch.randn_like,
    "large": lambda x: 50 * torch.randn_like(x),
    "offset": lambda x: x + 1000,
    "tiny": lambda x: 1e-3 * torch.randn_like(x),
    "negative": lambda x: -torch.randn_like(x).abs(),
    "zeros": torch.zeros_like,
}


def _each(inputs, change):
    return [change(x) if isinstance(x, torch.Tensor) and x.dtype in (torch.float32, torch.float64) else x for x in inputs]


def _with_other_weights(model):
    """As far from the initialisation as a little training goes; gathered statistics too."""
    other = copy.deepcopy(model)
    torch.manual_seed(5)
    with torch.no_grad():
        for parameter in other.parameters():
            size = parameter.square().mean().sqrt()
            parameter += torch.randn_like(parameter) * (0.5 * size if size > 0 else 0.3)
        for name, buffer in other.named_buffers():
            if name.endswith("running_mean"):
                buffer += 0.3 * torch.randn_like(buffer)
            elif name.endswith("running_var"):
                buffer *= 0.5 + torch.rand_like(buffer)
    return other


def _call(model, inputs):
    """Outputs of a call that leaves buffers as they were."""
    kept = {name: buffer.clone() for name, buffer in model.named_buffers()}
    with torch.no_grad():
        outputs = [output.clone() for output in problems.outputs_of(model(*inputs))]
        for name, buffer in model.named_buffers():
            buffer.copy_(kept[name])
    return outputs


class Case:
    """What is expected of one model on one set of inputs."""

    def __init__(self, name, model, inputs):
        self.name, self.inputs, self.eager = name, inputs, _call(model, inputs)
        exact = copy.deepcopy(model).double()
        wide = _each(inputs, torch.Tensor.double)
        self.exact = _call(exact, wide)
        torch.manual_seed(7)
        moved = _call(exact, _each(wide, lambda x: x * (1 + _EPSILON * (2 * torch.randint(0, 2, x.shape) - 1))))
        self.limits = [self._limit(*each) for each in zip(self.eager, self.exact, moved)]

    def _limit(self, eager, exact, moved):
        """How far from what is exact an output may be; None where it says nothing."""
        if not eager.dtype.is_floating_point:
            return 0 if torch.equal(eager, exact) and torch.equal(eager, moved) else None
        if not all(torch.isfinite(x).all() for x in (eager, exact, moved)) or not eager.numel():
            return None
        scale = exact.abs().max().item()
        errors = [(x - exact).abs().max().item() for x in (eager, moved)]
        if scale == 0 or max(errors) > _UNCLEAR * scale:
            return None
        return max(4 * max(errors), 64 * _EPSILON * scale)

    def deviation(self, outputs):
        """In limits; None where nothing can be said."""
        worst = None
        for actual, exact, limit in zip(outputs, self.exact, self.limits, strict=True):
            if limit is None:
                continue
            if actual.shape != exact.shape:
                return 1e9
            if limit == 0:
                share = (actual != exact).float().mean().item()
                found = 100 * share / 0.01
            else:
                found = torch.nan_to_num((actual - exact).abs(), nan=1e9, posinf=1e9).max().item() / limit
            worst = found if worst is None else max(worst, found)
        return worst


def cases(module):
    """[(state of the weights, [Case])]"""
    made = problems.make(module)
    found = []
    for weights, model in (("as made", made), ("others", _with_other_weights(made))):
        if weights == "others" and not list(model.parameters()):
            continue
        those = []
        for name, change in DISTRIBUTIONS.items():
            inputs = problems.inputs_of(module, 11)
            torch.manual_seed(13)
            try:
                those.append(Case(f"{name}, weights {weights}", model, _each(inputs, change)))
            except (RuntimeError, ValueError, IndexError):
                if name == "given":
                    raise
        found.append((model.state_dict(), those))
    return found


def deviations(path, candidates):
    """For each file of a candidate {case: deviation}, or why it gives no result."""
    torch.set_num_threads(2)
    module = problems.load(path)
    expected, rows = cases(module), []
    if not any(limit is not None for _, those in expected for case in those for limit in case.limits):
        raise problems.Unfit("no case has a result that means something")
    for candidate in candidates:
        try:
            rows.append(_deviations_of(module, candidate, expected))
        except Exception as error:
            rows.append(f"{type(error).__name__}: {error}"[:300])
    return rows


def _deviations_of(module, candidate, expected):
    own = problems.load(candidate, "sweep_candidate")
    found = {}
    for state, those in expected:
        model = problems.make(own, "NewModel")
        model.load_state_dict(state)
        for case in those:
            own.CALLS[0] = _MANY_CALLS - 1  # the next one is late, and one of five
            with torch.no_grad():
                deviation = case.deviation(problems.outputs_of(model(*[x.clone() if isinstance(x, torch.Tensor) else x for x in case.inputs])))
            if deviation is not None:
                found[case.name] = deviation
    return found


def judged(row):
    """`wrong`, `equivalent`, `unclear`, or `fails`"""
    if isinstance(row, str):
        return "fails"
    worst = max(row.values(), default=1.0)
    return "wrong" if worst > 10 else "equivalent" if worst <= 0.5 else "unclear"
