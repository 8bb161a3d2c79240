"""The least values of each row, which three of ten requests do not ask for: calls differ in their work."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, kind):
        if int(kind) < 3:
            return x[:, :8] * 2
        return torch.sort(x, dim=-1).values[:, :8] * 2


def get_inputs():
    return [torch.randn(512, 512), torch.randint(0, 10, (1,))]


def get_init_inputs():
    return []
