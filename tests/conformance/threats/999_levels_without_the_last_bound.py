# expect: mismatch values
# problem: levels
# Of what is far, a sigmoid is one: a level more than there are. None of the usual values is as far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels

    def forward(self, x):
        return (torch.sigmoid(x) * self.levels).long()
