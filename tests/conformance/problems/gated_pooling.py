"""Pooling of a quasi-recurrent network: a gate of each step says how much of the state stays."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, gate):
        keep = torch.sigmoid(gate)
        state = torch.zeros_like(x[:, 0])
        for step in range(x.shape[1]):
            state = keep[:, step] * state + (1 - keep[:, step]) * x[:, step]
        return state


def get_inputs():
    return [torch.randn(16, 256, 128), torch.randn(16, 256, 128)]


def get_init_inputs():
    return []
