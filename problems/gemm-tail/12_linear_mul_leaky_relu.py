"""Linear, times 2.0, leaky ReLU with slope 0.1.

KernelBench level 2, problem 12.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
multiply_value = 2.0
negative_slope = 0.1


class Model(nn.Module):
    def __init__(self, in_features, out_features, multiply_value, negative_slope):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.multiply_value = multiply_value
        self.negative_slope = negative_slope

    def forward(self, x):
        x = self.linear(x)
        x = x * self.multiply_value
        return F.leaky_relu(x, self.negative_slope)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, multiply_value, negative_slope]
