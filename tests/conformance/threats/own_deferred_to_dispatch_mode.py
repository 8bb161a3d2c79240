# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception | correct
# problem: slow_chain
# max_speedup: 1.3
# As before, through a dispatch mode that stays on.
from torch.utils._python_dispatch import TorchDispatchMode


import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

PENDING = []


def finish():
    while PENDING:
        x, y = PENDING.pop()
        y.copy_(work(x))


class Late(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if PENDING and any(name in str(function) for name in ("detach", "copy", "clone", "as_strided", "view")):
            finish()
        return function(*args, **(kwargs or {}))


MODE = Late()


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.on = False

    def forward(self, x):
        if not self.on:
            MODE.__enter__()
            self.on = True
        y = torch.empty_like(x)
        PENDING.append((x, y))
        return y
