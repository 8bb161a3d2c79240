"""A layer that pads, and keeps what it was given last in a cache, a few lines of which every call changes."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        self.register_buffer("cache", torch.zeros(length, width))

    def forward(self, x):
        self.cache[-x.shape[1]:] = x[0]
        return F.pad(2 * x + 1, (0, 0, 0, 252))


def get_inputs():
    return [torch.randn(64, 4, 256)]


def get_init_inputs():
    return [32768, 256]
