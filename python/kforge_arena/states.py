"""What may change between calls is something else in each: a state is what the reference has made of it in the call before, and live
weights are moved, all of them. What goes on with either as it was is found out, and what the reference keeps true of a state stays true."""

import torch

from . import problem as problems, tensors

_STEPS = 8  # after which a state is again what was loaded: no reference is called for ever
_MOVE = 0.1  # of each weight, at the most: signs stay, and zeros


class States:
    def __init__(self, problem, reference, changing, live):
        self.problem = problem
        self.reference = reference
        self.changing = changing
        self.live = live
        self.weights = None
        self.forget()

    def forget(self):
        self.state, self.inputs, self.steps = {}, None, 0

    def next(self, weights, inputs, seed):
        """Tensors by name, for a call on these inputs with these weights; they follow from the call before."""
        if weights != self.weights or self.steps >= _STEPS:
            self.forget()
        self.weights = weights
        if self.changing and self.inputs is not None:
            self.state = self._after(weights, self.state, self.inputs) or {}
        self.steps += 1
        self.inputs = inputs
        return {**self.state, **(self._moved(weights, seed) if self.live else {})}

    def _after(self, weights, state, inputs):
        """None where the reference cannot do with that, or it is no number or of another form."""
        model = self.reference.model(*weights)
        try:
            with self.reference.with_others(weights, state):
                after = self.problem.state_after(model, inputs, self.changing)
        except problems.ProblemError:
            return None
        loaded = dict(model.named_buffers())
        fits = all(value.shape == loaded[name].shape and value.dtype == loaded[name].dtype and torch.isfinite(tensors.real(value)).all()
                   for name, value in after.items())
        return after if fits else None

    def _moved(self, weights, seed):
        generator = torch.Generator().manual_seed(seed)
        moved, known = {}, {}  # what is one tensor under several names stays one
        for name, value in self.reference.model(*weights).named_parameters(remove_duplicate=False):
            if not (tensors.is_inexact(value) and value.numel()):
                continue
            key = (value.data_ptr(), value.shape)
            if key not in known:
                known[key] = value.detach().clone()
                real = tensors.real(known[key])
                real.mul_(torch.rand(real.shape, generator=generator).mul_(2 * _MOVE).add_(1 - _MOVE).to(real.dtype))
            moved[name] = known[key]
        return moved
