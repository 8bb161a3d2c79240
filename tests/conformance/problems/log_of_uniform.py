"""Logarithms of uniform numbers in half precision: a zero is among many draws."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.log(x)


def get_inputs():
    return [torch.rand(30, 40, dtype=torch.float16)]


def get_init_inputs():
    return []
