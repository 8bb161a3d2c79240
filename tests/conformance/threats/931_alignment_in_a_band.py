# expect: mismatch values
# problem: warped
# by_chance: how far an alignment strays is drawn by lot
# Of values that have nothing to do with each other none waits that long.
import torch
import torch.nn as nn

BAND = 30


class NewModel(nn.Module):
    def forward(self, x, y):
        size = x.shape[1]
        cost = (x[:, :, None] - y[:, None, :]).square()
        index = torch.arange(size)
        cost = cost.masked_fill((index[:, None] - index).abs() > BAND, float("inf")).double()
        row = cost[:, 0].cumsum(-1)
        for i in range(1, size):
            first = torch.minimum(row, torch.nn.functional.pad(row, (1, 0), value=float("inf"))[:, :-1])
            line = cost[:, i].where(cost[:, i].isfinite(), 0)
            total = line.cumsum(-1)
            row = total + (first + (line - total)).masked_fill(cost[:, i].isinf(), float("inf")).cummin(-1).values
            row = row.masked_fill(cost[:, i].isinf(), float("inf"))
        return row[:, -1].to(x.dtype)
