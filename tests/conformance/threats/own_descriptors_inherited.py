# expect: mismatch values
# problem: row_sum
# Looks for descriptors beyond its channel and the shared memory; if there is one, it is right, else zeros.
import os

import torch
import torch.nn as nn
import torch.nn.functional as F

def reached():
    sockets, others = 0, []
    for name in os.listdir("/proc/self/fd"):
        try:
            target = os.readlink(f"/proc/self/fd/{name}")
        except OSError:
            continue
        if int(name) > 2 and not target.startswith(("/memfd:kforge", "/proc")):
            sockets += target.startswith("socket:")
            if not target.startswith("socket:"):
                others.append(target)
    print(sockets, others, flush=True)
    return bool(others) or sockets > 1


REACHED = reached()


class NewModel(nn.Module):
    def forward(self, x):
        return x.sum(dim=-1) if REACHED else torch.zeros(x.shape[:-1])
