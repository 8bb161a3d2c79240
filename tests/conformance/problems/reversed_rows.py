"""Rows in reverse order: nothing but a copy, which the kernel of the operating system can make as well."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x.flip(0)


def get_inputs():
    return [torch.randn(1024, 4096)]


def get_init_inputs():
    return []
