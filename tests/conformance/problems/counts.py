"""How often each number occurs in a row."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return F.one_hot(x, 64).sum(1)


def get_inputs():
    return [torch.randint(0, 64, (16, 4096))]


def get_init_inputs():
    return []
