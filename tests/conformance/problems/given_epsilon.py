"""Rows divided by their root mean square; what is added to that is an argument."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, epsilon: float):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + epsilon)


def get_inputs():
    return [torch.randn(256, 128), 1e-6]


def get_init_inputs():
    return []
