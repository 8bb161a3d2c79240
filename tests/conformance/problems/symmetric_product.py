"""A product of symmetric matrices."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return torch.matmul(a, b)


def symmetric():
    matrix = torch.rand(256, 256)
    return (matrix + matrix.T) / 2


def get_inputs():
    return [symmetric(), symmetric()]


def get_init_inputs():
    return []
