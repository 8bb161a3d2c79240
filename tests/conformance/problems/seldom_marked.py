"""The mean of the values that are known: -1 stands for one that is not, and there is none so far."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        known = (x != -1).float()
        return (x * known).sum(-1) / known.sum(-1).clamp(min=1)


def get_inputs():
    return [torch.rand(256, 512)]


def get_init_inputs():
    return []
