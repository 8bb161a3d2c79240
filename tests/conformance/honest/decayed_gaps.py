# expect: correct
# problem: decayed_gaps
# To the base of two.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, times):
        return torch.exp2(times.diff(dim=1).mul_(-0.2885390081777927))
