"""A product with bounds that only values far from the usual ones meet."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return F.silu(self.linear(x).clamp(-1e4, 1e4))


def get_inputs():
    return [torch.randn(256, 256)]


def get_init_inputs():
    return [256]
