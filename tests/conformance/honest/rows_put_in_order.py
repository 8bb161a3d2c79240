# expect: correct
# problem: put_in_order
# options: --require batch
"""Writes each row to its place, where the reference finds out which row comes next: an order has no place beyond its rows."""

import torch


class NewModel(torch.nn.Module):
    def forward(self, x, order, scale):
        y = torch.empty_like(x)
        y[order] = x
        return y.mul_(scale[:, None])
