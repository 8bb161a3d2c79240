"""Outputs that are parts of a larger tensor, or show the same values many times: their strides are not those of a copy."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        gate, value = torch.sigmoid(x).chunk(2, dim=-1)
        return gate, value, x.mean(dim=-1, keepdim=True).expand_as(x)


def get_inputs():
    return [torch.randn(64, 300)]


def get_init_inputs():
    return []
