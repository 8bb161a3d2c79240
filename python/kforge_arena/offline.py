"""What a player needs to try a candidate where the platform's device is absent.

A checker is Python source that the platform names: `prepare(settings)` runs before the candidate is loaded,
`report()` after it was called once and returns lines for the evidence. What it raises there is the candidate's fault;
`Reached` ends the call without one. `tally()`, if there is one, says how many pieces of code the candidate handed over and
how many of them could be judged: only where that is all of them, and not none, has it passed. All of this runs beside the candidate in its jail: it gives evidence, not proof.
"""

import sys
import types

import torch
from torch.overrides import TorchFunctionMode

_ELSEWHERE = ("cuda", "xpu", "mps", "hip")


class Reached(BaseException):
    """The call has come as far as it can without the device."""


class CompilationError(Exception):
    """The name by which the judge knows that a compiler refused the code."""


def _is_elsewhere(value):
    if isinstance(value, torch.device):
        return value.type in _ELSEWHERE
    return isinstance(value, str) and value.split(":")[0] in _ELSEWHERE


class OnTheCpu(TorchFunctionMode):
    """Tensors that are asked for on the absent device are made on the CPU."""

    _FLAGS = tuple(getattr(torch.Tensor, name).__get__ for name in ("is_cuda", "is_xpu", "is_mps"))
    _MOVES = (torch.Tensor.cuda, torch.Tensor.xpu)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if function in self._FLAGS:
            return True
        if function in self._MOVES:
            return args[0]
        if _is_elsewhere(kwargs.get("device")):
            kwargs["device"] = "cpu"
        return function(*["cpu" if _is_elsewhere(value) else value for value in args], **kwargs)


def _stand_in(backend):
    """The questions about the device that candidates ask, with answers that any device of the kind would do for."""
    properties = types.SimpleNamespace(
        name="absent", multi_processor_count=132, major=9, minor=0, warp_size=32, total_memory=64 << 30,
        gcnArchName="gfx942", max_compute_units=128, L2_cache_size=50 << 20, shared_memory_per_block_optin=232448,
        regs_per_multiprocessor=65536, max_threads_per_multi_processor=2048)
    stream = types.SimpleNamespace(cuda_stream=0, sycl_queue=0, _as_parameter_=0, synchronize=lambda: None)
    backend.current_stream = lambda *_: stream
    backend.current_device = lambda: 0
    backend.synchronize = lambda *_: None
    backend.get_device_properties = lambda *_: properties
    backend.get_device_capability = lambda *_: (9, 0)


class Checker:
    def __init__(self, source, name, settings):
        OnTheCpu().__enter__()
        for backend in (torch.cuda, torch.xpu):
            _stand_in(backend)
        self.module = None
        if source:
            self.module = types.ModuleType("kforge_checker")
            sys.modules["kforge_checker"] = self.module
            exec(compile(source, name, "exec"), self.module.__dict__)
            self.module.prepare(settings)

    def report(self):
        return self.module.report() if self.module else []

    def tally(self):
        """[handed over, judged]; None: the checker does not count."""
        return list(self.module.tally()) if hasattr(self.module, "tally") else None
