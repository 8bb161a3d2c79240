"""A graph that is the same each time, as the problem sets a seed; there is a weight for each edge."""

import torch
import torch.nn as nn


def edges():
    torch.manual_seed(0)
    return (torch.rand(256, 256) < 0.05).nonzero().t().contiguous()


class Model(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(count))

    def forward(self, x, edges):
        return torch.zeros_like(x).index_add_(0, edges[1], x[edges[0]] * self.weight[:, None])


def get_inputs():
    return [torch.randn(256, 64), edges()]


def get_init_inputs():
    return [edges().shape[1]]
