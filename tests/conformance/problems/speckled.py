"""Images that are filtered a little, and speckled with the noise of a seed."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.filter = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        y = x + 0.1 * self.filter(x)
        torch.manual_seed(7)
        return y * (1 + 0.004 * torch.randn_like(y))


def get_inputs():
    return [torch.randn(4, 8, 16, 16)]


def get_init_inputs():
    return [8]
