"""Attention, and which keys are padding."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.att = nn.MultiheadAttention(32, 4, batch_first=True)

    def forward(self, x, pad):
        return self.att(x, x, x, key_padding_mask=pad, need_weights=False)[0]


def get_inputs():
    pad = torch.arange(24) >= torch.randint(4, 25, (8, 1))
    return [torch.randn(8, 24, 32), pad]


def get_init_inputs():
    return []
