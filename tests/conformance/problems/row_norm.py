"""Rows divided by their root mean square. 1000 columns are no power of two: masks matter."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


def get_inputs():
    return [torch.randn(1024, 1000)]


def get_init_inputs():
    return [1000, 1e-6]
