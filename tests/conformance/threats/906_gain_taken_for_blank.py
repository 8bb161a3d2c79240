# expect: mismatch values
# problem: blank_buffers
# One of the buffers, a single one, is ignored.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, channels, size):
        super().__init__()
        self.register_buffer("scale", torch.ones(1, channels, 1, 1))
        self.register_buffer("mask", torch.zeros(1, 1, size, size))
        self.register_buffer("gain", torch.tensor(1.0))
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv(x * self.scale) + self.mask)
