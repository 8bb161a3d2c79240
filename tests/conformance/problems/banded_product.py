"""A matrix that is zero beside a band, and a product with it."""

import torch
import torch.nn as nn

SIZE, WIDTH = 256, 4


class Model(nn.Module):
    def forward(self, matrix, x):
        return matrix @ x


def get_inputs():
    band = torch.triu(torch.tril(torch.randn(SIZE, SIZE), WIDTH), -WIDTH)
    return [band, torch.randn(SIZE, 64)]


def get_init_inputs():
    return []
