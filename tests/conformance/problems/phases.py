"""A running product of complex numbers, whose own errors add up."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.cumprod(torch.polar(torch.ones_like(x), x), dim=-1)


def get_inputs():
    return [torch.randn(2, 1 << 18)]


def get_init_inputs():
    return []
