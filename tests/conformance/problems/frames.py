"""Several results: the largest is computed, the others are mostly padding."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return 2 * x, *[F.pad(x[:, i:i + 2] + i, (0, 0, 0, 252)) for i in range(4)]


def get_inputs():
    return [torch.randn(64, 256, 256)]


def get_init_inputs():
    return []
