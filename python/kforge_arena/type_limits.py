"""What a reference takes from its own type (torch.finfo: bounds, fill values; what a norm adds that is given no bound): in double precision
it is told what eager was told, or what is exact would be the result of another function."""

import contextlib
import math

import torch
from torch.overrides import TorchFunctionMode

_EPSILONS = tuple(torch.finfo(each).eps for each in (torch.float32, torch.float64, torch.float16, torch.bfloat16))
_SMALL = 1e-4  # its square is far below the epsilon of every type but double


@contextlib.contextmanager
def _telling(finfo, module):
    """Also a problem that has imported it by name."""
    usual, names = torch.finfo, [name for name, value in vars(module).items() if value is torch.finfo]
    torch.finfo = finfo
    vars(module).update(dict.fromkeys(names, finfo))
    try:
        yield
    finally:
        torch.finfo = usual
        vars(module).update(dict.fromkeys(names, usual))


class Limits:
    """Heard while eager runs, and told again in the same order; what is asked beyond that gets the usual answer."""

    def __init__(self):
        self.types = []  # that torch.finfo was asked about
        self.bounds = []  # that norms without one have had

    def heard(self, module):
        usual = torch.finfo

        def tell(type=None):
            self.types.append(torch.get_default_dtype() if type is None else type)
            return usual(self.types[-1])

        return _telling(tell, module)

    def note(self, name, args, kwargs):
        if _lacks_bound(name, args, kwargs):
            self.bounds.append(_bound_of_norm(args[0]))

    @contextlib.contextmanager
    def again(self, module):
        usual, types = torch.finfo, iter(self.types)

        def tell(type=None):
            return usual(next(types, torch.get_default_dtype() if type is None else type))

        with _telling(tell, module), _Bounded(self.bounds) if self.bounds else contextlib.nullcontext():
            yield


class _Bounded(TorchFunctionMode):
    def __init__(self, bounds):
        super().__init__()
        self.bounds = iter(bounds)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if not _lacks_bound(getattr(function, "__name__", ""), args, kwargs):
            return function(*args, **kwargs)
        bound = next(self.bounds, None)
        return function(*args[:3], **{**kwargs, "eps": _bound_of_norm(args[0]) if bound is None else bound})


def _lacks_bound(name, args, kwargs):
    return name == "rms_norm" and len(args) > 0 and (args[3] if len(args) > 3 else kwargs.get("eps")) is None


def _bound_of_norm(tensor):
    """Told by what it makes of a small number: whose epsilon it is differs between versions of PyTorch."""
    small = torch.full((1, 1), _SMALL, dtype=tensor.dtype, device=tensor.device)
    added = (_SMALL / torch.rms_norm(small, (1,)).double().item()) ** 2 - _SMALL**2
    return min(_EPSILONS, key=lambda each: abs(math.log(max(added, 1e-20) / each)))
