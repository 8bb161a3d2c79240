"""Linear, group norm, hardtanh to [-2, 2].

KernelBench level 2, problem 30.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
num_groups = 16
hardtanh_min = -2.0
hardtanh_max = 2.0


class Model(nn.Module):
    def __init__(self, in_features, out_features, num_groups, hardtanh_min, hardtanh_max):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.norm = nn.GroupNorm(num_groups, out_features)
        self.hardtanh_min = hardtanh_min
        self.hardtanh_max = hardtanh_max

    def forward(self, x):
        x = self.linear(x)
        x = self.norm(x)
        return F.hardtanh(x, self.hardtanh_min, self.hardtanh_max)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, num_groups, hardtanh_min, hardtanh_max]
