"""Rows in order: values are chosen, not computed."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.sort(x, dim=-1).values


def get_inputs():
    return [torch.randn(16, 4096)]


def get_init_inputs():
    return []
