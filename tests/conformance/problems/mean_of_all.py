"""One number, next to zero: terms cancel out."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x.mean()


def get_inputs():
    return [torch.randn(256, 512)]


def get_init_inputs():
    return []
