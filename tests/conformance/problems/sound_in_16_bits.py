"""Sound, through 16 bits and back: with its usual values it never reaches their ends."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.fake_quantize_per_tensor_affine(x, 1.0, 0, -32768, 32767)


def get_inputs():
    return [torch.randn(64, 4096) * 1000]


def get_init_inputs():
    return []
