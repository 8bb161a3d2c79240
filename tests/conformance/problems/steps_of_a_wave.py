"""A wave in a few steps: far from zero its phase hangs by the last places of the input."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.round(3 * torch.sin(x * x * x)) / 3


def get_inputs():
    return [torch.randn(32, 32)]


def get_init_inputs():
    return []
