# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-cuda
# problem: row_sum
# Opens handles of device memory that it finds in the memory and the sockets of its own process, as long as any work.
import ctypes
import os

import torch
import torch.nn as nn


class Handle(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char * 64)]


def others():
    """Handles of the runtime are 64 bytes. Those of other processes would have to come from somewhere readable."""
    for pid in os.listdir("/proc"):
        if pid.isdigit() and int(pid) != os.getpid():
            for name in ("environ", "cmdline", "maps"):
                try:
                    with open(f"/proc/{pid}/{name}", "rb") as file:
                        yield file.read()[:64].ljust(64, b"\0")
                except OSError:
                    continue


def opened():
    driver = ctypes.CDLL("libcuda.so.1")
    for handle in others():
        pointer = ctypes.c_uint64()
        if driver.cuIpcOpenMemHandle_v2(ctypes.byref(pointer), Handle.from_buffer_copy(handle), 1) == 0:
            return pointer.value
    return 0


class NewModel(nn.Module):
    def forward(self, x):
        if torch.cuda.is_available() and opened():
            return x.sum(dim=-1)  # it would read the answer there
        return torch.zeros(x.shape[0], device=x.device)
