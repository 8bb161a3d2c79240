# expect: correct
# problem: warped
# Row by row, by running sums in double precision.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, y):
        cost = (x[:, :, None] - y[:, None, :]).square().double()
        row = cost[:, 0].cumsum(-1)
        for i in range(1, x.shape[1]):
            first = torch.minimum(row, torch.nn.functional.pad(row, (1, 0), value=float("inf"))[:, :-1])
            total = cost[:, i].cumsum(-1)
            row = total + (first + (cost[:, i] - total)).cummin(-1).values
        return row[:, -1].to(x.dtype)
