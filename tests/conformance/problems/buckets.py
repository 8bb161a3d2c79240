"""Which bucket each value falls into: where it is an edge, into the one below."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, edges):
        return torch.bucketize(x, edges)


def get_inputs():
    return [torch.randn(256, 512), torch.randn(63).sort().values]


def get_init_inputs():
    return []
