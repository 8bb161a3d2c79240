"""Attention by hand with a bound in place of infinity: where everything is masked, all count alike."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, q, k, v, masked):
        scores = (q @ k.mT / 8.0).masked_fill(masked[:, None, :], -1e9)
        return torch.softmax(scores, -1) @ v


def get_inputs():
    return [torch.randn(32, 64, 64), torch.randn(32, 64, 64), torch.randn(32, 64, 64), torch.rand(32, 64) < 0.3]


def get_init_inputs():
    return []
