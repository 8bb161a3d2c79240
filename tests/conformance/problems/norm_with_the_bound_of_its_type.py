"""A norm whose bound is that of its type, asked for under a name of its own."""

import torch
import torch.nn as nn
from torch import finfo


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + finfo(x.dtype).eps) * self.weight


def get_inputs():
    return [torch.randn(128, 256)]


def get_init_inputs():
    return [256]
