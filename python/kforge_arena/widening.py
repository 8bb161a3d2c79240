"""Double precision also where a reference names another one: what it rounds to half precision in between, or makes in single."""

import torch
from torch.overrides import TorchFunctionMode

_WIDE = {torch.float16: torch.float64, torch.bfloat16: torch.float64, torch.float32: torch.float64, torch.complex64: torch.complex128}
_CASTS = ("half", "bfloat16", "float")
_HALVES = (torch.float16, torch.bfloat16)


def _wide(value):
    return _WIDE.get(value, value) if isinstance(value, torch.dtype) else value


def narrows(name, args, kwargs):
    """Whether a call asks for half precision."""
    return name in _CASTS[:2] or any(isinstance(a, torch.dtype) and a in _HALVES for a in (*args, *kwargs.values()))


def names_single(name, args, kwargs):
    """Whether a call asks for single precision. That says nothing of one that looks at the same bits in another way."""
    return name == "float" or (name != "view" and any(a is torch.float32 for a in (*args, *kwargs.values())))


def keeps_single(name, args, kwargs):
    """Whether it asks for what a tensor has already."""
    return _has(args, torch.float32) and names_single(name, args, kwargs)


def _has(args, dtype):
    return bool(args) and isinstance(args[0], torch.Tensor) and args[0].dtype == dtype


class Kept(TorchFunctionMode):
    """What has double precision keeps it where a reference names single precision; numbers that it makes in single stay what they are."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, kwargs = getattr(function, "__name__", ""), kwargs or {}
        if not _has(args, torch.float64) or not names_single(name, args, kwargs):
            return function(*args, **kwargs)
        if name == "float":
            return args[0]
        return function(*map(_wide, args), **{key: _wide(value) for key, value in kwargs.items()})


class Widened(TorchFunctionMode):
    def __enter__(self):
        self.usual = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        return super().__enter__()

    def __exit__(self, *error):
        torch.set_default_dtype(self.usual)
        return super().__exit__(*error)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if getattr(function, "__name__", "") in _CASTS:
            return args[0].double()
        return function(*map(_wide, args), **{name: _wide(value) for name, value in (kwargs or {}).items()})
