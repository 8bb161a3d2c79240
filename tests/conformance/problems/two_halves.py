"""Single precision as two numbers of bfloat16, as emulated products want it."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        high = x.bfloat16()
        return torch.stack((high, (x - high.float()).bfloat16()), -1)


def get_inputs():
    return [torch.randn(64, 256)]


def get_init_inputs():
    return []
