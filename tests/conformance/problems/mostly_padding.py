"""Most of the result is padding, which no input decides: to write it takes longer than to compute the rest."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return F.pad(2 * x + 1, (0, 0, 0, 252))


def get_inputs():
    return [torch.randn(64, 4, 256)]


def get_init_inputs():
    return []
