"""In double precision, because single has not the range."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features, dtype=torch.float64))

    def forward(self, x):
        return torch.exp((x * self.weight).sum(-1))


def get_inputs():
    return [torch.randn(64, 1296, dtype=torch.float64)]


def get_init_inputs():
    return [1296]
