"""Buffers that are what they are: a filter that takes the mean, a diagonal, an order, the only type of token; and a mean of colours."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.types = nn.Embedding(1, 3)
        self.register_buffer("filter", torch.full((3, 1, 3, 3), 1 / 9))
        self.register_buffer("diagonal", torch.eye(size))
        self.register_buffer("order", torch.arange(size).flip(0))
        self.register_buffer("type_ids", torch.zeros(1, dtype=torch.long))
        self.register_buffer("mean", torch.full((1, 3, 1, 1), 0.45))

    def forward(self, x):
        x = x - self.mean + self.types(self.type_ids)[:, :, None, None]
        return F.conv2d(x, self.filter, padding=1, groups=3)[..., self.order] * (1 - self.diagonal)


def get_inputs():
    return [torch.rand(4, 3, 32, 32)]


def get_init_inputs():
    return [32]
