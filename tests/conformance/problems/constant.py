"""A degenerate problem: what it returns hardly depends on its input."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.softmax(x.mean(dim=-1, keepdim=True), dim=-1) + 0 * x


def get_inputs():
    return [torch.randn(64, 128)]


def get_init_inputs():
    return []
