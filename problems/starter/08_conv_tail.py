"""A 3x3 convolution with few channels, bias, hard-swish, scale, 2x2 average pooling."""

import torch
import torch.nn as nn
import torch.nn.functional as F

batch_size = 4
in_channels = 8
out_channels = 16
height = 64
width = 64


class Model(nn.Module):
    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1)
        self.scale = nn.Parameter(torch.randn(out_channels, 1, 1))

    def forward(self, x):
        x = F.hardswish(self.conv(x))
        x = x * self.scale
        return F.avg_pool2d(x, kernel_size=2)


def get_inputs():
    return [torch.randn(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels]
