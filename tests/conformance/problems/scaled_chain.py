"""The chain of slow_chain.py with a number among the inputs that is another one each time."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x, scale):
        return (F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)) * scale


def get_inputs():
    return [torch.randn(512, 1024), 1 + torch.rand(1).item()]


def get_init_inputs():
    return []
