# expect: correct
# problem: grid
# Counts the points below in place of a search: that rests on their order.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, grid, values):
        i = (x.unsqueeze(-1) > grid).sum(-1).clamp(1, grid.numel() - 1)
        left, right = grid[i - 1], grid[i]
        t = (x - left) / (right - left)
        return values[i - 1] + (values[i] - values[i - 1]) * t
