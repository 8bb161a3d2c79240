# expect: correct | disqualified integrity | runtime_error crash
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# The driver's and the runtime's own functions for elapsed time are overwritten in memory.
import ctypes
import re

import torch
import torch.nn as nn

# mov dword [rdi], 1e-6f; xor eax, eax; ret
CODE = bytes.fromhex("c707bd37863531c0c3")


def overwrite(library, name):
    address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
    ctypes.CDLL(None).mprotect(ctypes.c_void_p(address & ~4095), ctypes.c_size_t(8192), 7)
    ctypes.memmove(address, CODE, len(CODE))


def overwrite_all():
    with open("/proc/self/maps") as file:
        paths = set(re.findall(r"/\S*lib(?:cudart|cuda)\.so\S*", file.read()))
    for path in paths:
        for name in ("cudaEventElapsedTime", "cudaEventElapsedTime_v2", "cuEventElapsedTime", "cuEventElapsedTime_v2"):
            try:
                overwrite(ctypes.CDLL(path), name)
            except AttributeError:
                continue


if torch.cuda.is_available():
    torch.zeros(1, device="cuda")
    overwrite_all()


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        return work(x)
