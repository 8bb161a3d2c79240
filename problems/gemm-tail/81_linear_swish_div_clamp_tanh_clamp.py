"""Linear, Swish, divided by 2, clamped to [-1, 1], tanh, clamped to [-1, 1].

KernelBench level 2, problem 81.
"""

import torch
import torch.nn as nn

SHRINK = 1  # divides every size: 32 suits a CPU

batch_size = 1024 // SHRINK
in_features = 8192 // SHRINK
out_features = 8192 // SHRINK
divisor = 2.0
clamp_min = -1.0
clamp_max = 1.0


class Model(nn.Module):
    def __init__(self, in_features, out_features, divisor, clamp_min, clamp_max):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.divisor = divisor
        self.clamp_min = clamp_min
        self.clamp_max = clamp_max

    def forward(self, x):
        x = self.linear(x)
        x = x * torch.sigmoid(x)
        x = x / self.divisor
        x = torch.clamp(x, self.clamp_min, self.clamp_max)
        x = torch.tanh(x)
        return torch.clamp(x, self.clamp_min, self.clamp_max)


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features, divisor, clamp_min, clamp_max]
