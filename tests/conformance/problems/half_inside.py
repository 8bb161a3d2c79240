"""A linear layer and a function in half precision, between inputs and results in single."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        weight, bias = (p.to(torch.bfloat16) for p in (self.linear.weight, self.linear.bias))
        return F.gelu(F.linear(x.to(torch.bfloat16), weight, bias)).float()


def get_inputs():
    return [torch.randn(128, 256)]


def get_init_inputs():
    return [256]
