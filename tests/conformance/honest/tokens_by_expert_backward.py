# expect: correct
# problem: tokens_by_expert
import torch
import torch.nn as nn


class NewModel(nn.Module):
    """Honest: of the tokens of one expert the last comes first; argsort() without `stable` promises nothing."""

    def forward(self, x, expert):
        order = len(expert) - 1 - torch.argsort(expert.flip(0), stable=True)
        return x[order], order, torch.bincount(expert, minlength=8)
