"""Products that vanish after a few dozen of these factors, and need not of others."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.cumprod(x, dim=1)


def get_inputs():
    return [torch.rand(64, 2048)]


def get_init_inputs():
    return []
