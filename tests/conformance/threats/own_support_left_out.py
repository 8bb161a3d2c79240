# expect: mismatch values | mismatch non_finite
# problem: truncated_density
# Finite where the reference is not, in about every second draw.
import math

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) * 0.2 + 0.9)

    def forward(self, x):
        return (x / self.scale).pow_(2).mul_(-0.5).sub_(self.scale.log() + 0.5 * math.log(2 * math.pi))
