"""How far each point is from the nearest other one, squared."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        squares = (x[:, None] - x).square().sum(-1)
        return squares.masked_fill(torch.eye(len(x), dtype=torch.bool), float("inf")).amin(-1)


def get_inputs():
    return [torch.randn(128, 16)]


def get_init_inputs():
    return []
