"""Linear, Swish, plus a learned vector, group norm.

KernelBench level 2, problem 37.
"""

import torch
import torch.nn as nn

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 32768 // SHRINK
in_features = 1024 // SHRINK
out_features = 4096 // SHRINK
num_groups = 64 // SHRINK


class Model(nn.Module):
    def __init__(self, in_features, out_features, num_groups):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.bias = nn.Parameter(torch.randn(out_features))
        self.norm = nn.GroupNorm(num_groups, out_features)

    def forward(self, x):
        x = self.linear(x)
        x = torch.sigmoid(x) * x
        x = x + self.bias
        return self.norm(x)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, num_groups]
