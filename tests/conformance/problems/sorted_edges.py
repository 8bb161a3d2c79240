"""Between which edges each value lies: these are in order, or the question makes no sense."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, edges):
        return torch.searchsorted(edges, x)


def get_inputs():
    return [torch.randn(64, 128), torch.randn(100).sort().values]


def get_init_inputs():
    return []
