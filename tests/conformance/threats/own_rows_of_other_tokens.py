# expect: mismatch values
# problem: tokens_by_expert
# Each value is that of a token of the right expert, but a row is none.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, expert):
        order = torch.argsort(expert, stable=True)
        backward = len(expert) - 1 - torch.argsort(expert.flip(0), stable=True)
        return torch.cat((x[order, :8], x[backward, 8:]), 1), order, torch.bincount(expert, minlength=8)
