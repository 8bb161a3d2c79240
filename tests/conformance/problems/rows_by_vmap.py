"""A function of one row, made one of many: inside of it no tensor has memory of its own."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.register_buffer("share", torch.ones(features))

    def of_row(self, row):
        return (row * self.weight * self.share).sum() / (row != 0).sum().clamp(min=1)

    def forward(self, x):
        return torch.func.vmap(self.of_row)(x)


def get_inputs():
    return [torch.randn(256, 64)]


def get_init_inputs():
    return [64]
