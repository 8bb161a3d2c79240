"""Two of the outputs are what the reference keeps itself: a parameter, and a part of a buffer."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(features))
        self.register_buffer("table", torch.randn(128, features))

    def forward(self, x):
        part = self.table[:64, : x.shape[1] // 2]
        return x * self.scale, self.scale, part


def get_inputs():
    return [torch.randn(64, 256)]


def get_init_inputs():
    return [256]
