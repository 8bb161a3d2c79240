"""Linear, Swish, times 2.

KernelBench level 2, problem 59.
"""

import torch
import torch.nn as nn

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 128 // SHRINK
in_features = 32768 // SHRINK
out_features = 32768 // SHRINK
scaling_factor = 2.0


class Model(nn.Module):
    def __init__(self, in_features, out_features, scaling_factor):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scaling_factor = scaling_factor

    def forward(self, x):
        x = self.linear(x)
        x = x * torch.sigmoid(x)
        return x * self.scaling_factor


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, scaling_factor]
