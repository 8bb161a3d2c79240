"""Outputs so small that zeros are within an absolute tolerance."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=-1) * 1e-6


def get_inputs():
    return [torch.randn(64, 128)]


def get_init_inputs():
    return []
