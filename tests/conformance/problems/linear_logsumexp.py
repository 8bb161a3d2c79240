"""One number for each row of a product: the errors of its many values cancel out."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, columns):
        super().__init__()
        self.linear = nn.Linear(features, columns)

    def forward(self, x):
        return torch.logsumexp(self.linear(x), dim=1, keepdim=True)


def get_inputs():
    return [torch.rand(64, 256)]


def get_init_inputs():
    return [256, 4096]
