"""Defined for probabilities only; the targets that it is given are zeros and ones."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, p, target):
        return F.binary_cross_entropy(p, target, reduction="none")


def get_inputs():
    return [torch.rand(256, 512) * 0.8 + 0.1, torch.randint(0, 2, (256, 512)).float()]


def get_init_inputs():
    return []
