"""A layer whose weights are divided by an estimate of their norm, which every call in training mode brings closer."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = torch.nn.utils.spectral_norm(nn.Linear(features, features))
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(dim=0)
        return self.linear(x) + self.mean


def get_inputs():
    return [torch.randn(64, 64)]


def get_init_inputs():
    return [64]
