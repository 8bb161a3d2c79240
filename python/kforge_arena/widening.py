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
