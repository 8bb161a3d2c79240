"""Products with a matrix of which most is zero. Its places are the same each time, and none comes twice."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, values, rows, columns):
        matrix = x.new_zeros(32, 32)
        matrix[rows, columns] = values
        return matrix @ x


def get_inputs():
    places = torch.randperm(32 * 32, generator=torch.Generator().manual_seed(1))[:200]
    return [torch.randn(32, 16), torch.randn(200), places // 32, places % 32]


def get_init_inputs():
    return []
