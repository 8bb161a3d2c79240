"""GELU of a linear layer: a product with a tail, for kernels that own the product or the tail."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return F.gelu(self.linear(x))


def get_inputs():
    return [torch.randn(512, 1024)]


def get_init_inputs():
    return [1024]
