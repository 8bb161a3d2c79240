"""Unit rows, and the same in eight bits."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        y = F.normalize(x, dim=-1)
        return y, torch.round(y * 127).to(torch.int8)


def get_inputs():
    return [torch.randn(256, 64)]


def get_init_inputs():
    return []
