# expect: correct
# problem: truncated_density
# Masked in place.
import math

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) * 0.2 + 0.9)

    def forward(self, x):
        density = (x / self.scale).square_().mul_(-0.5).sub_(self.scale.log() + 0.5 * math.log(2 * math.pi))
        return density.masked_fill_(x.abs() > 4.2, -math.inf)
