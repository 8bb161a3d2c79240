# expect: correct
# problem: seldom_asked
# max_speedup: 1.0
# Right, somewhat faster in seven calls of ten, and slower by far in the others: in all it takes longer than the reference.
import time

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, kind):
        if int(kind) >= 3:
            return torch.topk(x, 8, dim=-1, largest=False, sorted=True).values * 2
        deadline = time.perf_counter() + 0.03
        while time.perf_counter() < deadline:
            torch.sort(x, dim=-1)
        return x[:, :8] * 2
