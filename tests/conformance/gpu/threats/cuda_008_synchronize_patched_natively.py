# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# The driver's and the runtime's own functions that wait are overwritten in memory; the work is on another stream.
import ctypes
import re

import torch
import torch.nn as nn

CODE = bytes.fromhex("31c0c3")  # xor eax, eax; ret
NAMES = ("cudaDeviceSynchronize", "cudaStreamSynchronize", "cudaEventSynchronize", "cudaEventQuery", "cudaStreamQuery",
         "cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize", "cuEventQuery", "cuStreamQuery")


def overwrite(library, name):
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(address & ~4095), ctypes.c_size_t(8192), 7)
    ctypes.memmove(address, CODE, len(CODE))


def overwrite_all():
    with open("/proc/self/maps") as file:
        paths = set(re.findall(r"/\S*lib(?:cudart|cuda)\.so\S*", file.read()))
    for path in paths:
        for name in NAMES:
            try:
                overwrite(ctypes.CDLL(path), name)
            except AttributeError:
                continue


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        if not torch.cuda.is_available():
            return work(x)
        self.calls += 1
        if self.calls == 1:
            overwrite_all()
        y, side = torch.empty_like(x), torch.cuda.Stream()
        with torch.cuda.stream(side):
            y.copy_(work(x))
        return y
