"""A linear layer with a tail: weights worth packing."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        return torch.relu(self.linear(x) * self.scale) + x


def get_inputs():
    return [torch.randn(64, 128)]


def get_init_inputs():
    return [128, 1.5]
