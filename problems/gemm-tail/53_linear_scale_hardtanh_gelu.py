"""Linear, times 0.5, hardtanh to [-2, 2], GELU.

KernelBench level 2, problem 53.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 2048 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
scaling_factor = 0.5
hardtanh_min = -2.0
hardtanh_max = 2.0


class Model(nn.Module):
    def __init__(self, in_features, out_features, scaling_factor, hardtanh_min, hardtanh_max):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scaling_factor = scaling_factor
        self.hardtanh_min = hardtanh_min
        self.hardtanh_max = hardtanh_max

    def forward(self, x):
        x = self.linear(x)
        x = x * self.scaling_factor
        x = F.hardtanh(x, self.hardtanh_min, self.hardtanh_max)
        return F.gelu(x)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, scaling_factor, hardtanh_min, hardtanh_max]
