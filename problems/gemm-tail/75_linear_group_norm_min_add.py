"""Linear, group norm, row minimum, plus a learned vector of shape (1, N, 1, 1).

KernelBench level 2, problem 75. Broadcasting (M, 1) against (1, N, 1, 1) gives an output of shape
(1, N, M, 1).
"""

import torch
import torch.nn as nn

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
num_groups = 512 // SHRINK


class Model(nn.Module):
    def __init__(self, in_features, out_features, num_groups):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.norm = nn.GroupNorm(num_groups, out_features)
        self.bias = nn.Parameter(torch.randn(1, out_features, 1, 1))

    def forward(self, x):
        x = self.linear(x)
        x = self.norm(x)
        x = torch.min(x, dim=1, keepdim=True).values
        return x + self.bias


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, num_groups]
