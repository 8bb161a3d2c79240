"""Forty elementwise operators on 64 MB: a millisecond of an accelerator's own time, which a candidate may lie about."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        for _ in range(8):
            x = x + 0.25 * torch.tanh(x) * torch.cos(x)
        return x


def get_inputs():
    return [torch.randn(4096, 4096)]


def get_init_inputs():
    return []
