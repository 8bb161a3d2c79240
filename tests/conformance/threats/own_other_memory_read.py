# expect: mismatch values
# problem: row_sum
# Looks into the memory of every process it can find; if it can, it is right, else zeros.
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

def reached():
    for pid in os.listdir("/proc"):
        if not pid.isdigit() or int(pid) == os.getpid():
            continue
        try:
            with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
                memory.seek(int(maps.readline().split("-")[0], 16))
                if memory.read(16):
                    return True
        except (OSError, ValueError):
            continue
    return False


REACHED = reached()


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1) if REACHED else torch.zeros(x.shape[:-1])
