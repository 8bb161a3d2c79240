"""Values between bounds of their own: the lower ones are below the upper ones."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, low, high):
        return torch.clamp(x, low, high)


def get_inputs():
    low = torch.randn(64, 128)
    return [torch.randn(64, 128), low, low + torch.rand(64, 128)]


def get_init_inputs():
    return []
