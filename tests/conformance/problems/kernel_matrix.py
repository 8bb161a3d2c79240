"""Gaussian kernels of points: ones on the diagonal, and far smaller numbers that matter just as much."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.exp(-0.25 * torch.cdist(x, x).square())


def get_inputs():
    return [torch.randn(256, 64)]


def get_init_inputs():
    return []
