"""Values between those at the points of a grid, which is the same each time."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, grid, values):
        i = torch.searchsorted(grid, x).clamp(1, grid.numel() - 1)
        left, right = grid[i - 1], grid[i]
        t = (x - left) / (right - left)
        return values[i - 1] * (1 - t) + values[i] * t


def get_inputs():
    return [torch.rand(256, 512), torch.linspace(0, 1, 65), torch.randn(65)]


def get_init_inputs():
    return []
