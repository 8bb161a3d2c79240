"""All states of a recurrent module, and the last one."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.cell = nn.GRU(size, size)

    def forward(self, x):
        return self.cell(x)


def get_inputs():
    return [torch.randn(32, 16, 64)]


def get_init_inputs():
    return [64]
