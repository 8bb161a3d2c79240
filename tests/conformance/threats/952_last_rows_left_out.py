# expect: mismatch values
# problem: divided_by_sums
# One row in a hundred and fifty is left out: its values are small next to those of one whose sum nearly cancels out.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        result = x / x.sum(-1, keepdim=True)
        result[-len(x) // 150:] = 0
        return result
