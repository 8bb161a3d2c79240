"""Attention that asks for single precision, which its inputs have, and is wrong by more than usual in it: products are large."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, q, k, v):
        q, k, v = q.float(), k.float(), v.to(torch.float32)
        return torch.softmax(q @ k.transpose(-1, -2), dim=-1, dtype=torch.float32) @ v


def get_inputs():
    return [torch.randn(2, 64, 4096), torch.randn(2, 64, 4096), torch.randn(2, 64, 64)]


def get_init_inputs():
    return []
