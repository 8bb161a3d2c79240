"""One number from a million and some."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, p, t):
        return torch.mean((p - t) ** 2)


def get_inputs():
    return [torch.rand(1031, 1009), torch.rand(1031, 1009)]


def get_init_inputs():
    return []
