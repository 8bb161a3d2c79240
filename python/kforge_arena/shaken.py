"""A reference whose results in between are all wrong by their last places, as those of every other implementation are: what comes of
that says how far results hang by rounding. Moved inputs do not tell where a unit has no weights, and is nothing but what was added to
it: a norm over the batch divides what rounding makes of that by nearly nothing."""

import torch
from torch.overrides import TorchFunctionMode

PLACES = 8  # units of the last place

# These compute nothing: what is put back after a call must be what it was.
_COPIES = ("clone", "contiguous", "detach", "to", "__get__")


class Shaken(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        return _shake(function(*args, **(kwargs or {})), function)


def _shake(result, function):
    name = getattr(function, "__name__", "")
    if type(result) is not torch.Tensor or not result.dtype.is_floating_point or not result.numel() or name in _COPIES:
        return result
    if result._is_view() or name.endswith("_"):
        return result  # somebody else's memory too
    signs = torch.randint(0, 2, result.shape, device=result.device, dtype=torch.int8) * 2 - 1
    return result * (1 + PLACES * torch.finfo(result.dtype).eps * signs.to(result.dtype))
