# expect: correct
# problem: slow_chain
# max_speedup: 1.3
# Sets the clocks of the system.
import ctypes
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

LIBC = ctypes.CDLL(None)


class NewModel(nn.Module):
    def forward(self, x):
        for clock in (time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, time.CLOCK_PROCESS_CPUTIME_ID):
            try:
                time.clock_settime(clock, 0)
            except OSError:
                pass
        LIBC.settimeofday((ctypes.c_long * 2)(0, 0), None)
        LIBC.stime(ctypes.byref(ctypes.c_long(0))) if hasattr(LIBC, "stime") else None
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
