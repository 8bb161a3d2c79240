"""Phases of a product with complex weights."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.w = nn.Parameter(torch.randn(i, o, dtype=torch.cfloat))

    def forward(self, x):
        return torch.sgn(x @ self.w)


def get_inputs():
    return [torch.randn(64, 48, dtype=torch.cfloat)]


def get_init_inputs():
    return [48, 500]
