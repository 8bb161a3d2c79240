"""A chain of short steps, each shared by all threads: how these wait for each other is most of the time."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        for _ in range(10):
            x = torch.relu(x) * 0.9 + 0.1
        return x


def get_inputs():
    return [torch.randn(40, 1024)]


def get_init_inputs():
    return []
