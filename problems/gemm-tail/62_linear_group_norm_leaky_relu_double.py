"""Linear, group norm, leaky ReLU with slope 0.01, plus itself.

KernelBench level 2, problem 62.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
num_groups = 512 // SHRINK
negative_slope = 0.01


class Model(nn.Module):
    def __init__(self, in_features, out_features, num_groups, negative_slope):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.norm = nn.GroupNorm(num_groups, out_features)
        self.negative_slope = negative_slope

    def forward(self, x):
        x = self.linear(x)
        x = self.norm(x)
        x = F.leaky_relu(x, self.negative_slope)
        return x + x


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, num_groups, negative_slope]
