"""The second output is the input itself, which the reference passes on."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.tanh(x) * 2, x


def get_inputs():
    return [torch.randn(64, 300)]


def get_init_inputs():
    return []
