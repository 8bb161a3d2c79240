"""The mean of the values that are known: -1 stands for one that is not."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        known = x != -1.0
        return (x * known).sum(-1) / known.sum(-1).clamp(min=1)


def get_inputs():
    return [torch.where(torch.rand(256, 64) < 0.2, -1.0, torch.rand(256, 64))]


def get_init_inputs():
    return []
