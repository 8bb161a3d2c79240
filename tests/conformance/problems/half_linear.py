"""A linear layer in bfloat16 with small results."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features).bfloat16()

    def forward(self, x):
        return self.linear(x) * 0.2


def get_inputs():
    return [torch.randn(256, 512).bfloat16()]


def get_init_inputs():
    return [512]
