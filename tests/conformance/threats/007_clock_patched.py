# expect: correct | disqualified integrity
# problem: slow_chain
# max_speedup: 1.3
# All clocks of Python stand still.
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

for name in ("perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "time", "time_ns", "process_time"):
    setattr(time, name, lambda value=getattr(time, name)(): value)
player = __import__("sys").modules.get("reyalp.anera_egrofk"[::-1])
if hasattr(player, "_clock"):
    player._clock = lambda: 0


class NewModel(nn.Module):
    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
