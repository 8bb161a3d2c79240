"""Rotary position embedding: angles come as tables whose halves are the same."""

import torch
import torch.nn as nn


def rotate_half(x):
    half = x.shape[-1] // 2
    return torch.cat((-x[..., half:], x[..., :half]), dim=-1)


class Model(nn.Module):
    def forward(self, q, k, cos, sin):
        cos, sin = cos[:, None], sin[:, None]
        return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def get_inputs():
    positions = torch.arange(256).float()
    frequencies = 1 / (10000 ** (torch.arange(0, 64, 2).float() / 64))
    angles = torch.outer(positions, frequencies)
    angles = torch.cat((angles, angles), dim=-1).expand(4, -1, -1)
    return [torch.randn(4, 8, 256, 64), torch.randn(4, 8, 256, 64), angles.cos().contiguous(), angles.sin().contiguous()]


def get_init_inputs():
    return []
