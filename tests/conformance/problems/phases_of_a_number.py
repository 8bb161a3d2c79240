"""A table that follows from a number among the inputs, another one each time: nearly all of the work, and none needs the tensor."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, rows, columns):
        super().__init__()
        self.phases = nn.Parameter(torch.randn(rows, columns))

    def forward(self, x, time):
        angle = self.phases * time
        return x + torch.sin(angle) * torch.exp(-angle * angle) + torch.tanh(angle)


ROWS = 512


def get_inputs():
    return [torch.randn(ROWS, 1024), 1 + torch.rand(1).item()]


def get_init_inputs():
    return [ROWS, 1024]
