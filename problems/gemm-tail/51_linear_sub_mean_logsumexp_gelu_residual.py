"""Linear, minus a learned vector, row mean, logsumexp, GELU, plus the original input.

KernelBench level 2, problem 51. The one number left of each row is broadcast over that row of the
input.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 2048 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK


class Model(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.subtract = nn.Parameter(torch.randn(out_features))

    def forward(self, x):
        residual = x
        x = self.linear(x)
        x = x - self.subtract
        x = torch.mean(x, dim=1, keepdim=True)
        x = torch.logsumexp(x, dim=1, keepdim=True)
        x = F.gelu(x)
        return x + residual


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features]
