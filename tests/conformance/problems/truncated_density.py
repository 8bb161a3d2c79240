"""Log-densities of a truncated normal distribution: minus infinity outside of its support, where few draws are."""

import math

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) * 0.2 + 0.9)

    def forward(self, x):
        density = -0.5 * (x / self.scale).pow(2) - self.scale.log() - 0.5 * math.log(2 * math.pi)
        return torch.where(x.abs() <= 4.2, density, torch.full_like(density, -math.inf))


def get_inputs():
    return [torch.randn(128, 256)]


def get_init_inputs():
    return [256]
