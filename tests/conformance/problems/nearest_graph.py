"""The weights of a graph that joins each point to the eight nearest to it."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, neighbours):
        super().__init__()
        self.neighbours = neighbours

    def forward(self, x):
        values, indices = torch.exp(-0.5 * torch.cdist(x, x).square()).topk(self.neighbours, dim=-1)
        return torch.zeros(len(x), len(x)).scatter(1, indices, values)


def get_inputs():
    return [torch.randn(1024, 48)]


def get_init_inputs():
    return [8]
