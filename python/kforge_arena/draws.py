"""Random numbers for timed calls at a fraction of the price: drawing them would take longer than the calls.

Two stretches of a pool, which nobody else sees, are turned into one another by an angle that is drawn anew for every part
(uniform numbers: subtracted, modulo 1), and each number gets a sign by a key that is drawn anew: one pass over them, in
libkforge_draws.so. What comes out has the distribution of the pool and is no number of it; and whoever could tell what is in the pool
would know nothing of the signs to come. It is drawn again now and then.
"""

import ctypes
import math

import torch
from torch.overrides import TorchFunctionMode

_LEAST = 1 << 15  # elements: what is smaller is drawn as ever
_PART = 1 << 17
_POOL = 8 * _PART
_USES = 64  # elements that come of one of the pool, on average


class _Pool:
    def __init__(self, fill, blend):
        self.fill = fill
        self.blend = blend  # (out, one, other: addresses, count, angle, key)
        self.numbers = None
        self.used = 0

    def renew(self):
        if self.used > _USES * _POOL:
            self.numbers, self.used = None, 0

    def draw(self, size):
        if self.numbers is None:
            generator = torch.Generator()
            generator.seed()  # not by the numbers to come: get_inputs() may have set a seed that anybody knows
            self.numbers = self.fill(_POOL + _PART, generator=generator)
        self.used += size
        out = torch.empty(size)
        starts = range(0, size, _PART)
        places, keys = torch.randint(_POOL, (len(starts), 2)).tolist(), torch.randint(1 << 62, (len(starts),)).tolist()
        for start, angle, (one, other), key in zip(starts, torch.rand(len(starts)).tolist(), places, keys):
            self.blend(_address(out, start), _address(self.numbers, one), _address(self.numbers, other), min(_PART, size - start),
                       2 * math.pi * angle, key)
        return out


def _address(numbers, index):
    return numbers.data_ptr() + index * numbers.dtype.itemsize


def _blends(path):
    """The functions of src/kforge/arena/inside/kforge_draws.h: for normal, then for uniform numbers."""
    library = ctypes.CDLL(path)
    numbers = [ctypes.c_void_p] * 3 + [ctypes.c_size_t]
    library.kf_draws_turn.argtypes = numbers + [ctypes.c_float, ctypes.c_float, ctypes.c_uint64]
    library.kf_draws_subtract.argtypes = numbers + [ctypes.c_uint64]
    return (lambda out, one, other, count, angle, key: library.kf_draws_turn(out, one, other, count, math.cos(angle), math.sin(angle), key),
            lambda out, one, other, count, angle, key: library.kf_draws_subtract(out, one, other, count, key))


class Quick(TorchFunctionMode):
    """While this is entered, torch.randn and torch.rand of many numbers on the CPU take them from pools."""

    def __init__(self, library, problem=None):
        super().__init__()
        self.problem = problem
        normal, uniform = map(_Pool, (torch.randn, torch.rand), _blends(library))
        self.pools = {torch.randn: normal, torch.randn_like: normal, torch.rand: uniform, torch.rand_like: uniform}

    def __enter__(self):
        # Not in between: what is drawn twice by the same seed shall be the same.
        for pool in self.pools.values():
            pool.renew()
        return super().__enter__()

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        pool = self.pools.get(function)
        shape = _shape(*args, **kwargs) if pool and not self._seeded_by_the_problem() else None
        if shape is None or math.prod(shape) < _LEAST:
            return function(*args, **kwargs)
        return pool.draw(math.prod(shape)).view(shape).requires_grad_(kwargs.get("requires_grad", False))

    def _seeded_by_the_problem(self):
        """Then it means these very numbers: as many of them may be below a threshold as it has made weights for."""
        return self.problem is not None and torch.initial_seed() != self.problem.seed


def _shape(*args, size=(), dtype=None, device=None, requires_grad=False, **others):
    """Of a plain tensor of this process; None, where something else is asked for."""
    like = args[0] if args and isinstance(args[0], torch.Tensor) else None
    dtype = dtype or (torch.get_default_dtype() if like is None else like.dtype)
    device = torch.device(device or (torch.get_default_device() if like is None else like.device))
    if others or dtype != torch.float32 or device.type != "cpu":
        return None
    if like is not None:
        return like.shape if like.is_contiguous() else None
    size = size or args
    return tuple(size[0]) if len(size) == 1 and isinstance(size[0], (list, tuple)) else tuple(size)
