# expect: mismatch values
# problem: half_linear
# Eight-bit integers where the reference has bfloat16: the largest error is within what its own rounding explains.
import torch
import torch.nn as nn


def brief(x):
    unit = x.float().abs().amax(dim=-1, keepdim=True) / 127 + 1e-20
    return torch.round(x.float() / unit) * unit


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features).bfloat16()

    def forward(self, x):
        y = brief(x) @ brief(self.linear.weight).t() + self.linear.bias.float()
        return (y * 0.2).bfloat16()
