# expect: mismatch values
# problem: bounded_linear
# No value has met the bounds so far.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return F.silu(self.linear(x))
