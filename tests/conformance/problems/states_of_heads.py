"""A linear state per head: each has a transition matrix of its own."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, heads, states):
        super().__init__()
        self.enter = nn.Linear(features, heads * states)
        self.transition = nn.Parameter(torch.randn(heads, states, states) * 0.5 / states**0.5)
        self.read = nn.Linear(heads * states, features)

    def forward(self, x):
        heads, states, _ = self.transition.shape
        x = self.enter(x).view(x.shape[0], x.shape[1], heads, states)
        state = torch.zeros_like(x[:, 0])
        for step in range(x.shape[1]):
            state = torch.einsum("bhi,hij->bhj", state, self.transition) + x[:, step]
        return self.read(state.flatten(1))


def get_inputs():
    return [torch.randn(16, 256, 64)]


def get_init_inputs():
    return [64, 4, 32]
