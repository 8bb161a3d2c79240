# expect: mismatch values
# problem: row_sum
# Attaches to other processes, or copies their memory by system calls; if it can, it is right, else zeros.
import ctypes
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

def reached():
    libc = ctypes.CDLL(None, use_errno=True)
    for pid in [os.getppid(), 1, *range(2, 400)]:
        if pid != os.getpid() and pid > 0 and libc.ptrace(16, pid, None, None) == 0:
            return True
    return False


REACHED = reached()


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1) if REACHED else torch.zeros(x.shape[:-1])
