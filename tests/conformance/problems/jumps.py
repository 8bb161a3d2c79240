"""Results that jump: values rounded to a grid, a threshold, the nearest entry of a table."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, entries):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.table = nn.Parameter(torch.randn(entries, features))

    def forward(self, x):
        scale = x.abs().amax(dim=-1, keepdim=True) / 127
        nearest = ((x * x).sum(1, keepdim=True) - 2 * x @ self.table.t() + (self.table * self.table).sum(1)).argmin(dim=1)
        return torch.round(x / scale) * scale, self.linear(x) > 0, nearest, self.table[nearest]


def get_inputs():
    return [torch.randn(4096, 128)]


def get_init_inputs():
    return [128, 256]
