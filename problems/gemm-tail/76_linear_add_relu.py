"""Linear without bias, plus a learned vector, ReLU.

KernelBench level 2, problem 76.
"""

import torch
import torch.nn as nn

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK


class Model(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features, bias=False)
        self.bias = nn.Parameter(torch.randn(out_features))

    def forward(self, x):
        x = self.linear(x)
        x = x + self.bias
        return torch.relu(x)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features]
