"""A mask that is expanded over all heads."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, mask):
        return torch.relu(a * mask + a) * mask


def get_inputs():
    return [torch.randn(64, 128, 256), torch.rand(1, 128, 256).expand(64, 128, 256)]


def get_init_inputs():
    return []
