"""Twenty steps of a state, each with its score, which is far larger, put together first and then step after step."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.step = nn.Linear(features, features)

    def forward(self, x):
        state, rows = torch.zeros_like(x), []
        for _ in range(20):
            state = torch.tanh(self.step(state) + x)
            rows.append(torch.cat((state, 1e4 * state.square().sum(-1, keepdim=True)), -1))
        return torch.stack(rows, 1).transpose(0, 1).contiguous()


def get_inputs():
    return [torch.randn(64, 32)]


def get_init_inputs():
    return [32]
