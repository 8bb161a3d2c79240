"""Dropout that is the same in each call: by a seed."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, outputs, share):
        super().__init__()
        self.linear = nn.Linear(features, outputs)
        self.share = share

    def forward(self, x):
        y = self.linear(x)
        torch.manual_seed(0)
        return torch.where(torch.rand_like(y) < self.share, 0.0, y / (1 - self.share))


def get_inputs():
    return [torch.randn(1024, 256)]


def get_init_inputs():
    return [256, 1024, 0.5]
