"""A recurrent module of convolutions: with the weights that it is made with, what was long ago is forgotten."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.new = nn.Conv1d(channels, channels, 3, padding=1)
        self.old = nn.Conv1d(channels, channels, 3, padding=1)

    def forward(self, x):
        state = torch.zeros_like(x[:, 0])
        for step in range(x.shape[1]):
            state = torch.tanh(self.new(x[:, step]) + self.old(state))
        return state


def get_inputs():
    return [torch.randn(2, 64, 16, 32)]


def get_init_inputs():
    return [16]
