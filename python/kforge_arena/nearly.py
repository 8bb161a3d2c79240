"""The inputs of the call before, but for a little: what tells inputs by some of their values (a sample, a sum, one of several inputs, an
address), and answers with what it has made of others, is found out."""

import itertools

import torch

from . import rearranged, tensors

_ONE_IN = 256  # numbers is another one at the most, one of all at the least: few show in no mean, and many in every sample


class Nearly:
    def __init__(self, one, another):
        """By two draws: whole numbers may rest on each other, so they change only where they are the same each time, or by themselves."""
        whole = [not tensors.is_inexact(tensor) for tensor in one]
        self.may_change = [not is_whole or sum(whole) == 1 or torch.equal(a, b) for is_whole, a, b in zip(whole, one, another)]
        self.ways = itertools.cycle((self._with_few_others, self._with_one_other, self._elsewhere, self._with_one_other))
        self.turns = itertools.count()

    def __call__(self, inputs, draw):
        """`draw` gives other inputs."""
        return next(self.ways)(inputs, draw)

    def _with_few_others(self, inputs, draw, whole=False):
        """`whole`: whole numbers alone."""
        may_change = iter(self.may_change)

        def change(tensor):
            return _changed(tensor) if next(may_change, False) and not (whole and tensors.is_inexact(tensor)) else tensor

        return tensors.map_tensors(inputs, change)

    def _elsewhere(self, inputs, draw):
        """The same numbers in another order: no sum tells."""
        return tensors.map_tensors(self._with_few_others(inputs, draw, whole=True), _flipped)

    def _with_one_other(self, inputs, draw):
        """One of several inputs is new, all others are what they were."""
        given, others = (list(tensors.tensors_of(tree)) for tree in (inputs, draw()))
        able = [index for index, (a, b) in enumerate(zip(given, others))
                if tensors.is_inexact(a) and a.shape == b.shape and not torch.equal(a, b)]
        if len(given) < 2 or not able:
            return self._with_few_others(inputs, draw)
        chosen, index = able[next(self.turns) % len(able)], itertools.count()
        return tensors.map_tensors(inputs, lambda tensor: others[chosen] if next(index) == chosen else tensor)


def _flipped(tensor):
    several = [dim for dim, size in enumerate(tensor.shape) if size > 1]
    if not several or not tensors.is_inexact(tensor):
        return tensor
    return tensor.flip(several[int(torch.randint(len(several), ()))])


def _changed(tensor):
    """The same tensor where there is nothing to change."""
    if tensor.numel() < 2:
        return tensor
    if not tensors.is_inexact(tensor):
        return tensor if _in_order(tensor) else rearranged.slightly(tensor)
    value = tensor.contiguous().clone()
    flat = value.view(-1)
    count = int(max(1, len(flat) / _ONE_IN) ** float(torch.rand(1)))
    flat[torch.randint(len(flat), (count,), device=flat.device)] = _extreme(flat)
    return value


def _extreme(flat):
    """A number that there is already, and that makes a difference."""
    largest = bool(torch.randint(2, (1,)))
    if not flat.is_complex() and torch.isfinite(end := flat.max() if largest else flat.min()):
        return end
    size = torch.view_as_real(flat).norm(dim=-1) if flat.is_complex() else flat.nan_to_num(0, 0, 0)
    return flat[size.argmax() if largest else size.argmin()].clone()


def _in_order(tensor):
    """Offsets, edges of buckets: these stay in order."""
    return tensor.dtype != torch.bool and bool((tensor.diff(dim=-1) >= 0).all())
