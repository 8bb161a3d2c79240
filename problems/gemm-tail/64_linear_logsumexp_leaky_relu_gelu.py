"""Linear, row logsumexp, leaky ReLU with slope 0.01 twice, GELU twice.

KernelBench level 2, problem 64.
"""

import torch
import torch.nn as nn
import torch.nn.functional as F

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
negative_slope = 0.01


class Model(nn.Module):
    def __init__(self, in_features, out_features, negative_slope):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.negative_slope = negative_slope

    def forward(self, x):
        x = self.linear(x)
        x = torch.logsumexp(x, dim=1, keepdim=True)
        x = F.leaky_relu(x, self.negative_slope)
        x = F.leaky_relu(x, self.negative_slope)
        x = F.gelu(x)
        return F.gelu(x)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, negative_slope]
