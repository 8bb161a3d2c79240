"""A memory that fades with every call, some lines of which are brought up to date; it is what the layer returns."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, lines, features):
        super().__init__()
        self.register_buffer("state", torch.randn(lines, features))

    def forward(self, x):
        self.state.mul_(0.99)
        self.state[: x.shape[0]] += x
        return self.state


def get_inputs():
    return [torch.randn(16, 256)]


def get_init_inputs():
    return [512, 256]
