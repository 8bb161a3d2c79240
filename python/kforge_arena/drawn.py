"""Random numbers that a reference draws by a seed of its own: the same seed makes others in another precision, and what is exact would be
the result of other numbers. Here they are drawn in the precision that eager has drawn them in."""

import torch
from torch.overrides import TorchFunctionMode

_NEW = ("rand", "randn", "rand_like", "randn_like")
_OF_VALUES = ("bernoulli", "normal")  # from a tensor, in its precision
_IN_PLACE = ("uniform_", "normal_", "bernoulli_")


def draws(name):
    return name in _NEW or name in _OF_VALUES or name in _IN_PLACE


class Again(TorchFunctionMode):
    """As often as is known in which types; what is drawn beyond that is drawn as ever."""

    def __init__(self, dtypes):
        super().__init__()
        self.dtypes = iter(dtypes)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        name, kwargs = getattr(function, "__name__", ""), kwargs or {}
        dtype = next(self.dtypes, None) if draws(name) else None
        if dtype is None or not dtype.is_floating_point:
            return function(*args, **kwargs)
        if name in _NEW:
            wanted = kwargs.get("dtype") or (args[0].dtype if name.endswith("_like") else torch.get_default_dtype())
            return function(*args, **{**kwargs, "dtype": dtype}).to(wanted)
        narrow = [_in_type(a, dtype) for a in args]
        if name in _IN_PLACE:
            return args[0].copy_(function(torch.empty_like(narrow[0]), *narrow[1:], **kwargs))
        wanted = next((a.dtype for a in args if isinstance(a, torch.Tensor)), dtype)
        return function(*narrow, **kwargs).to(wanted)


def _in_type(value, dtype):
    return value.to(dtype) if isinstance(value, torch.Tensor) and value.dtype.is_floating_point else value
