"""Prompts are cut to the longest of the batch, and followed by room for what will be generated."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x, lengths):
        return F.pad(2 * x[:, : int(lengths.max())] + 1, (0, 0, 0, 3552))


def get_inputs():
    return [torch.randn(8, 32, 256), torch.randint(1, 33, (8,))]


def get_init_inputs():
    return []
