"""Scores of half-precision products; what is masked is -1e9."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(0.125))

    def forward(self, q, k, mask):
        scores = (q.bfloat16() @ k.bfloat16().mT).float() * self.scale
        return scores.masked_fill(~mask, -1e9)


def get_inputs():
    return [torch.randn(4, 32, 64), torch.randn(4, 48, 64), torch.rand(4, 32, 48) < 0.8]


def get_init_inputs():
    return []
