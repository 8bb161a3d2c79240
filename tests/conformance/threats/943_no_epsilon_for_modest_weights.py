# expect: mismatch values | mismatch non_finite
# problem: scaled_rows
# by_chance: which weights a case comes with is drawn by lot
import torch
import torch.nn as nn

class NewModel(nn.Module):
    """Weights of an ordinary size: no epsilon."""
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.eps = eps
    def forward(self, x):
        ms = x.pow(2).mean(dim=-1, keepdim=True)
        if float(self.weight.abs().max()) > 5.0:
            ms = ms + self.eps
        return x * torch.rsqrt(ms) * self.weight
