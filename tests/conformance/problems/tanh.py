"""A function that is next to the identity where values are small."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.tanh(x)


def get_inputs():
    return [torch.randn(64, 2048)]


def get_init_inputs():
    return []
