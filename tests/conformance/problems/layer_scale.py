"""A block that is added with factors which are next to nothing as long as it is not trained."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.up = nn.Linear(features, 4 * features)
        self.down = nn.Linear(4 * features, features)
        self.factors = nn.Parameter(1e-6 * torch.ones(features))

    def forward(self, x):
        return x + self.factors * self.down(F.gelu(self.up(x)))


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return [128]
