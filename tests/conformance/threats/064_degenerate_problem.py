# expect: correct
# problem: constant
# vet: degenerate
# A problem whose answer is always one: it passes, and the problem is told to be degenerate.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return torch.ones_like(x)
