# expect: disqualified integrity
# problem: tiny_norm
# The result in memory of a parameter.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return self.norm.weight.expand_as(x)
