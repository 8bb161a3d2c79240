# expect: mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: tiny_norm
# The last row is not computed.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        y = torch.zeros_like(x)
        y[:-1] = F.gelu(self.norm(x[:-1]))
        return y
