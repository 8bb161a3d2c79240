"""Distances of complex points."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return (a[:, None, :] - b[None, :, :]).abs().square().sum(-1).sqrt()


def get_inputs():
    return [torch.randn(64, 8, dtype=torch.complex64), torch.randn(96, 8, dtype=torch.complex64)]


def get_init_inputs():
    return []
