"""Each feature divided by its length over the batch."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return F.normalize(x, dim=0)


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
