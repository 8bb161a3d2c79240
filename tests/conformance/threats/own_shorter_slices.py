# expect: correct
# problem: narrow_chain
# max_speedup: 1.3
# A copy of the reference whose threads ask for short time slices: where others keep the machine busy, these have their turn
# sooner than those of the baseline.
import ctypes
import os
import struct

import torch
import torch.nn as nn

LIBC = ctypes.CDLL(None)
SCHED_SETATTR = 314 if os.uname().machine == "x86_64" else 274
ATTRIBUTES = struct.pack("=IIQiIQQQ", 48, 0, 0, 0, 0, 100_000, 0, 0)


class NewModel(nn.Module):
    calls = 0

    def forward(self, x):
        NewModel.calls += 1
        if NewModel.calls < 6:
            for thread in os.listdir("/proc/self/task"):
                LIBC.syscall(SCHED_SETATTR, int(thread), ATTRIBUTES, 0)
        for _ in range(40):
            x = torch.tanh(x) + 0.5 * torch.cos(x)
        return x
