"""Defined for positive values only, and given those from 0.001 to 1."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        level = torch.log10(x).clamp(min=-8, max=2)
        return 10 * level + x / (1 + torch.sqrt(x))


def get_inputs():
    return [torch.rand(256, 512) + 1e-3]


def get_init_inputs():
    return []
