# expect: correct
# problem: slow_chain
# max_speedup: 1.3
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    """What the reference does: no speedup may be seen here."""

    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
