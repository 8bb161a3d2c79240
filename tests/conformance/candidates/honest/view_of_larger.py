# expect: correct
# problem: row_sum
import torch
import torch.nn as nn


class NewModel(nn.Module):
    """The result is a column of a fresh, larger tensor: not contiguous, but its own."""

    def forward(self, x):
        wide = torch.empty(x.shape[0], 3)
        wide[:, 1] = x.sum(dim=-1)
        return wide[:, 1]
