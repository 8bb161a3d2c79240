"""A small Linear with a tail: scale, Mish, clamp, and a residual from the input."""

import torch
import torch.nn as nn
import torch.nn.functional as F

batch_size = 1024
features = 256
scale = 1.5
limit = 2.0


class Model(nn.Module):
    def __init__(self, features, scale, limit):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale
        self.limit = limit

    def forward(self, x):
        y = F.mish(self.linear(x) * self.scale)
        y = torch.clamp(y, -self.limit, self.limit)
        return y + x


def get_inputs():
    return [torch.randn(batch_size, features)]


def get_init_inputs():
    return [features, scale, limit]
