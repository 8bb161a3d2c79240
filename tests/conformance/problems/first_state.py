"""A recurrent module that begins with a random state of its own, which is no parameter."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, hidden, batch):
        super().__init__()
        self.first = torch.randn(1, batch, hidden)
        self.gru = nn.GRU(features, hidden, batch_first=True)

    def forward(self, x):
        return self.gru(x, self.first)[0]


def get_inputs():
    return [torch.randn(8, 16, 32)]


def get_init_inputs():
    return [32, 32, 8]
