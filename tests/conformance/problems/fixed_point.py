"""Numbers in steps of a 256th are rounded to whole ones: of those in the middle, to the even one."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.round(x).clamp(-128, 127)


def get_inputs():
    return [torch.round(torch.randn(256, 256) * 20 * 256) / 256]


def get_init_inputs():
    return []
