"""Blocks in a frame of zeros: most of the result is the same in every call."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return F.pad(torch.tanh(x), (64, 64, 64, 64))


def get_inputs():
    return [torch.randn(64, 64, 64)]


def get_init_inputs():
    return []
