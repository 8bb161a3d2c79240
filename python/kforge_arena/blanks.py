"""Buffers that wait for something better (statistics, masks, positions, scales), and what may be put there instead."""

import re

import torch
from torch.overrides import TorchFunctionMode

from . import tensors

_FURTHEST = 8  # in place of a single zero

_FACTOR_OF = re.compile(r"r?matmul|(b|add)?mm|(add)?mv|baddbmm|(bi)?linear|einsum|tensordot|conv(_transpose)?[123]d")


class _Listener(TorchFunctionMode):
    """Which memory a call reads, and which of it as a factor of a product or convolution. As it is seen: not inside of compiled code."""

    def __init__(self):
        super().__init__()
        self.read, self.factors = set(), set()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        places = {tensors.place(tensor) for tensor in tensors.tensors_of([*args, *(kwargs or {}).values()])}
        self.read |= places
        if _FACTOR_OF.fullmatch(getattr(function, "__name__", "").strip("_")):
            self.factors |= places
        return function(*args, **(kwargs or {}))


def _is_uniform(buffer):
    first = buffer.flatten()[0]
    return bool((buffer == first).all() and torch.isfinite(first))


def _is_identity(buffer):
    square = buffer.dim() == 2 and buffer.shape[0] == buffer.shape[1] > 1
    return square and torch.equal(buffer, torch.eye(len(buffer), dtype=buffer.dtype, device=buffer.device))


def _is_empty(buffer):
    return bool((buffer == 0).all() or (buffer == 1).all())


def find(problem, model, inputs):
    """The names of those that are loaded and blank: numbers, and whole ones. Ones and zeros are, and what is the same number
    throughout; but not a single one (a bound), nor a filter that takes the mean. An identity is, where it is a factor: elsewhere it
    tells a diagonal from the rest. Tables and other masks are what they are."""
    loaded = model.state_dict()
    kept = {name: buffer for name, buffer in model.named_buffers() if name in loaded and buffer.numel()}
    alike = {name: buffer for name, buffer in kept.items() if _is_uniform(buffer)}
    identities = {name: buffer for name, buffer in kept.items() if tensors.is_inexact(buffer) and _is_identity(buffer)}
    listener = _Listener()
    if alike or identities:
        with listener:
            problem.forward(model, inputs)

    def is_among(buffer, places):
        return tensors.place(buffer) in places - {None}

    numbers = [name for name, buffer in identities.items() if is_among(buffer, listener.factors)]
    whole = []
    for name, buffer in alike.items():
        is_read = is_among(buffer, listener.read) and (_is_empty(buffer) or buffer.numel() > 1)
        if tensors.is_inexact(buffer):
            if _is_empty(buffer) or (is_read and not is_among(buffer, listener.factors)):
                numbers.append(name)
        elif is_read:
            whole.append(name)
    return numbers, whole


def another(buffer, generator, far):
    """In place of the same whole number, or truth value, throughout. `far`: a single zero, which may be a position, is more than one."""
    value = int(buffer.flatten()[0])
    if value < 0 or (value == 0 and buffer.dtype != torch.bool and buffer.device.type != "cpu"):
        return buffer  # on a GPU an index out of range cannot be caught
    if value == 0 and far and buffer.numel() == 1 and buffer.dtype in (torch.int32, torch.int64):
        low, high = 2, _FURTHEST
    elif value <= 1:
        low, high = 1 - value, 1 - value
    else:
        low, high = value - max(1, value // 4), value - 1
    others = torch.randint(low, high + 1, buffer.shape, generator=generator)
    chosen = torch.rand(buffer.shape, generator=generator)
    if buffer.dim() > 1 and buffer.shape[-1] > 1:
        chosen[..., 0] = 1  # of a mask, something is left in each row
    chosen = chosen <= chosen.min().clamp(min=0.5)
    return torch.where(chosen.to(buffer.device), others.to(buffer.device, buffer.dtype), buffer)
