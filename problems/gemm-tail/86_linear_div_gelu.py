"""Linear, divided by 10, GELU.

KernelBench level 2, problem 86.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
divisor = 10.0


class Model(nn.Module):
    def __init__(self, in_features, out_features, divisor):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.divisor = divisor

    def forward(self, x):
        x = self.linear(x)
        x = x / self.divisor
        return F.gelu(x)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, divisor]
