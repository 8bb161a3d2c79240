"""A bound that is a buffer, far beyond usual values, and a remainder."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bound", torch.tensor(1e4))

    def forward(self, x):
        return torch.minimum(x * torch.sigmoid(x), self.bound), torch.remainder(x, 4000.0)


def get_inputs():
    return [10 * torch.rand(64, 512)]


def get_init_inputs():
    return []
