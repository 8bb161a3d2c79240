"""A memory of slow states, which every call moves a little, mixed by scores."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.mix = nn.Parameter(torch.randn(features, features) / features ** 0.5)
        self.register_buffer("state", torch.randn(features, features))

    def forward(self, x):
        y = x @ torch.tanh(self.mix @ self.state)
        self.state[: x.shape[0]] = 0.9 * self.state[: x.shape[0]] + 0.1 * x
        return y


def get_inputs():
    return [torch.randn(16, 128)]


def get_init_inputs():
    return [128]
