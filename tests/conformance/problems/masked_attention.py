"""Attention with a mask that get_inputs() makes the same each time, and a scale likewise."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, q, k, v, mask, scale):
        scores = (q @ k.transpose(-1, -2) * scale).masked_fill(~mask, float("-inf"))
        return torch.softmax(scores, dim=-1) @ v


def get_inputs():
    return [torch.randn(4, 96, 32), torch.randn(4, 96, 32), torch.randn(4, 96, 32),
            torch.ones(96, 96, dtype=torch.bool).tril(), 0.2]


def get_init_inputs():
    return []
