"""Sums of the rows of each owner, found where these begin and end: they are in order. Those of nobody are left out."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, owners):
        known = x * (owners >= 0)[:, None]
        sums = torch.cat((x.new_zeros(1, x.shape[1]), known.cumsum(0)))
        each = torch.arange(8)
        return sums[torch.searchsorted(owners, each, right=True)] - sums[torch.searchsorted(owners, each)]


def get_inputs():
    return [torch.randn(256, 8), torch.randint(0, 8, (256,)).sort().values]


def get_init_inputs():
    return []
