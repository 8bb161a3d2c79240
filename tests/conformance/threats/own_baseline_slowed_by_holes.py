# expect: correct | disqualified integrity | mismatch values | runtime_error crash
# problem: slow_chain
# max_speedup: 1.3
# Punches holes into the shared inputs: others then read zeros and fault each page in again.
import ctypes
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.fallocate.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_long, ctypes.c_long]
CALLS = []


def punch():
    for name in os.listdir("/proc/self/fd"):
        try:
            if "input" in os.readlink(f"/proc/self/fd/{name}"):
                LIBC.fallocate(int(name), 3, 0, 1 << 24)
        except OSError:
            continue


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        y = work(x)
        if len(CALLS) > 14:
            punch()
        return y
