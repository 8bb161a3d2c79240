# expect: mismatch values
# problem: tokens_by_expert
# The last token of each expert but one is taken for another one's: that is no other order of equal values.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, expert):
        order = torch.argsort(expert, stable=True)
        counts = torch.bincount(expert, minlength=8)
        last = counts.cumsum(0)[3] - 1
        order[last:last + 2] = order[last:last + 2].flip(0)
        return x[order], order, counts
