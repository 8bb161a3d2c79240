"""What it costs to align two sequences, where either may wait for the other."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        cost = (x[:, :, None] - y[:, None, :]).square()
        size = x.shape[1]
        inf = x.new_full((len(x), size + 1), float("inf"))
        before, last = inf, inf.clone()
        last[:, 0] = 0
        index = torch.arange(size)
        for diagonal in range(2 * size - 1):  # by the place in x, one further on
            i = index[max(0, diagonal - size + 1):min(size, diagonal + 1)]
            best = torch.minimum(torch.minimum(last[:, i], last[:, i + 1]), before[:, i])
            if diagonal == 0:
                best = torch.zeros_like(best)
                last = inf
            row = inf.clone()
            row[:, i + 1] = cost[:, i, diagonal - i] + best
            before, last = last, row
        return last[:, -1]


def get_inputs():
    return [torch.randn(8, 48), torch.randn(8, 48)]


def get_init_inputs():
    return []
