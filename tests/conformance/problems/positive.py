"""ReLU of what is positive already: on the problem's own inputs the right values are those of the input."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x)


def get_inputs():
    return [torch.rand(64, 128)]


def get_init_inputs():
    return []
