"""One state for each of 24 beams, which are kept apart: whoever has one may write to it."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return tuple(torch.tanh(x.roll(i, 0).roll(-i, 0)) for i in range(24))


def get_inputs():
    return [torch.randn(128, 512)]


def get_init_inputs():
    return []
