# expect: mismatch values
# problem: half_inside
# Eight-bit integers where the reference has bfloat16.
import torch
import torch.nn as nn
import torch.nn.functional as F


def brief(x):
    unit = x.abs().amax(dim=-1, keepdim=True) / 127 + 1e-20
    return torch.round(x / unit) * unit


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return F.gelu(F.linear(brief(x), brief(self.linear.weight), self.linear.bias))
