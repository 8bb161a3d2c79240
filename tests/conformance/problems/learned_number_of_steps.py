"""A layer that goes on until it stands still: how long that takes depends on what it has learned."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.linalg.qr(torch.randn(features, features)).Q)
        self.share = nn.Parameter(0.95 - 0.65 * torch.rand(1))

    def forward(self, x):
        state = x
        for _ in range(400):
            new = torch.clamp(self.share, 0.0, 0.95) * torch.tanh(state @ self.weight) + x
            if (new - state).abs().max() < 1e-7:
                break
            state = new
        return new


def get_inputs():
    return [torch.randn(64, 256) * 0.1]


def get_init_inputs():
    return [256]
