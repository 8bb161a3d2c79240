"""A reference that becomes thirty times slower after so many calls in one process: after one candidate, before the
last of many."""

import time

import torch
import torch.nn as nn

CALLS = 160
calls = 0


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        global calls
        calls += 1
        if calls > CALLS:
            time.sleep(0.01)
        return self.norm(x)


def get_inputs():
    return [torch.randn(256, 64)]


def get_init_inputs():
    return [64]
