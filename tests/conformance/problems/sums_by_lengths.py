"""Sums of the parts whose lengths a list says, which are those of all rows together."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, lengths):
        ends = lengths.cumsum(0)
        return torch.stack([x[end - length:end].sum(0) for end, length in zip(ends.tolist(), lengths.tolist())])


def get_inputs():
    return [torch.randn(2048, 16), torch.bincount(torch.randint(0, 32, (2048,)), minlength=32)]


def get_init_inputs():
    return []
