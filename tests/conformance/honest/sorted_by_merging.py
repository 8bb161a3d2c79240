# expect: correct
# problem: sorted_rows
# Halves that are merged by where their values belong; the larger of two is chosen, not computed.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        left, right = (half.contiguous() for half in x.sort(dim=-1).values.view(*x.shape[:-1], -1, 2).unbind(-1))
        step = torch.arange(left.shape[-1])
        y = torch.empty(x.shape)
        y.scatter_(-1, step + torch.searchsorted(right, left), left)
        y.scatter_(-1, step + torch.searchsorted(left, right, right=True), right)
        return y
