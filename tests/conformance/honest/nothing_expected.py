# expect: correct
# problem: nothing_added
# Of no rows nothing need be looked at.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, e):
        return x + x, torch.zeros(16)
