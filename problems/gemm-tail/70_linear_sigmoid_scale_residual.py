"""Linear, twice its sigmoid added to the result.

KernelBench level 2, problem 70.
"""

import torch
import torch.nn as nn

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
scaling_factor = 2.0


class Model(nn.Module):
    def __init__(self, in_features, out_features, scaling_factor):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scaling_factor = scaling_factor

    def forward(self, x):
        x = self.linear(x)
        return torch.sigmoid(x) * self.scaling_factor + x


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, scaling_factor]
