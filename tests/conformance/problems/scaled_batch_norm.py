"""A linear layer, scaled, with a norm over the batch."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)
        self.scale = nn.Parameter(torch.randn(units))
        self.norm = nn.BatchNorm1d(units)

    def forward(self, x):
        return self.norm(self.linear(x) * self.scale)


def get_inputs():
    return [torch.randn(128, 256)]


def get_init_inputs():
    return [256, 128]
