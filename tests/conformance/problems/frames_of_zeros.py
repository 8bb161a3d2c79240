"""The mean over the frames that are not padding, which is zeros."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        known = (x != 0).any(-1, keepdim=True).float()
        return (x * known).sum(1) / known.sum(1).clamp(min=1)


def get_inputs():
    return [torch.randn(64, 256, 64)]


def get_init_inputs():
    return []
