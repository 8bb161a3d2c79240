"""The mean square error of two large tensors in bfloat16."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return torch.mean((x - y) ** 2)


def get_inputs():
    return [torch.randn(4096, 2048).bfloat16(), torch.randn(4096, 2048).bfloat16()]


def get_init_inputs():
    return []
