"""Linear, max pooling over pairs of features, row sum, times 0.5.

KernelBench level 2, problem 55.
"""

import torch
import torch.nn as nn

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 128 // SHRINK
in_features = 32768 // SHRINK
out_features = 32768 // SHRINK
kernel_size = 2
scale_factor = 0.5


class Model(nn.Module):
    def __init__(self, in_features, out_features, kernel_size, scale_factor):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.pool = nn.MaxPool1d(kernel_size)
        self.scale_factor = scale_factor

    def forward(self, x):
        x = self.linear(x)
        x = self.pool(x.unsqueeze(1)).squeeze(1)
        x = torch.sum(x, dim=1)
        return x * self.scale_factor


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, kernel_size, scale_factor]
