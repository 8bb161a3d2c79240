"""Attention with a bias by distance: from 20 on all are alike, and there are none so far."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.bias = nn.Embedding(32, heads)

    def forward(self, scores, distance):
        return (scores + self.bias(distance.clamp(max=20)).permute(0, 3, 1, 2)).softmax(-1)


def get_inputs():
    return [torch.randn(4, 4, 32, 32), torch.randint(0, 16, (4, 32, 32))]


def get_init_inputs():
    return [4]
