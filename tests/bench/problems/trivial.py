"""As little work as a problem can have: what is measured on it is the evaluator."""

import torch
import torch.nn as nn

rows = 64
features = 256


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(features))

    def forward(self, x):
        return torch.relu(x * self.scale)


def get_inputs():
    return [torch.randn(rows, features)]


def get_init_inputs():
    return [features]
