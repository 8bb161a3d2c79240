"""Magnitudes of complex numbers."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, z):
        return torch.log1p(z.abs())


def get_inputs():
    return [torch.randn(64, 512, dtype=torch.complex64)]


def get_init_inputs():
    return []
