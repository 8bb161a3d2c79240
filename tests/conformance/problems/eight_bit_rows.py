"""Rows as eight-bit integers with a scale each, which has a least value."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        scale = x.abs().amax(-1, keepdim=True).clamp(min=1e-5) / 127
        return torch.round(x / scale).to(torch.int8), scale


def get_inputs():
    return [torch.randn(256, 512)]


def get_init_inputs():
    return []
