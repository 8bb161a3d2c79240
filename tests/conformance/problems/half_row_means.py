"""The mean of long rows in bfloat16."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.mean(x, dim=1)


def get_inputs():
    return [torch.rand(64, 65536).bfloat16()]


def get_init_inputs():
    return []
