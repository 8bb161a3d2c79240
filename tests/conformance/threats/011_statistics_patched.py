# expect: correct | disqualified integrity
# problem: slow_chain
# max_speedup: 1.3
# Patches whatever computes medians and ratios in any module it can find.
import statistics
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

for module in list(sys.modules.values()):
    if getattr(module, "__name__", "").startswith(("__main__", "kforge", "statistics")):
        for name in ("median", "mean", "ratio", "speedup", "compare", "relative_error", "judge"):
            if hasattr(module, name):
                setattr(module, name, lambda *args, **kwargs: 1e-9)
statistics.median = statistics.mean = lambda values: 1e-9


class NewModel(nn.Module):
    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
