"""Which results rest on the order of equal values (an index, what is scattered to it): that order is nobody's to say."""

import torch

from . import tensors

_APART = 1e-6  # of the usual value: equal ones are not, then, and nothing else shows
_TRIES = 12  # of two equal values one is first by chance in half of them
_NOTICEABLE = 1e-3  # of the largest value: far more than what the move itself makes of a result


def broken(inputs):
    """Inputs, in double precision, in which values that were equal are so no longer, by lot; some times over."""
    return (_with_noise(inputs, seed) for seed in range(_TRIES))


def _with_noise(inputs, seed):
    def move(tensor):
        if not tensor.dtype.is_floating_point:
            return tensor
        wide = tensor.double()
        usual = wide.abs().nan_to_num(0, 0, 0).mean()
        generator = torch.Generator(wide.device).manual_seed(seed)
        noise = torch.randn(wide.shape, generator=generator, device=wide.device, dtype=wide.dtype)
        return wide + _APART * (usual if usual > 0 else 1) * noise

    return tensors.map_tensors(inputs, move)


def excused(actual, truths, answers):
    """The outputs, with what is expected in all lines on which the answers do not agree."""
    answers = list(answers)
    return [_excused(a, truth, [answer[number] for answer in answers]) for number, (a, truth) in enumerate(zip(actual, truths))]


def _excused(actual, truth, answers):
    exact = truth.exact
    if actual.is_complex() or not exact.dim() or any(answer.shape != exact.shape for answer in answers):
        return actual
    lines = torch.zeros((*exact.shape[:-1], 1), dtype=torch.bool, device=exact.device)
    for answer in answers:
        if exact.dtype.is_floating_point:
            differ = (exact - answer).abs() > _NOTICEABLE * exact.abs().max()
        else:
            differ = exact != answer
        lines |= differ.any(-1, keepdim=True)
    return torch.where(lines, exact.to(actual.dtype), actual)
