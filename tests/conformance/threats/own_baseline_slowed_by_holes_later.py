# expect: disqualified integrity | correct
# max_speedup: 1.3
# problem: slow_chain
# Punches holes into the shared inputs when an old result is let go: new inputs are put there before anybody looks, but all
# others have to map each page again.
import ctypes
import os
import weakref

import torch
import torch.nn as nn
import torch.nn.functional as F

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
        y = F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
        if len(CALLS) > 18:  # in those before, inputs come twice
            weakref.finalize(y, punch)
        return y
