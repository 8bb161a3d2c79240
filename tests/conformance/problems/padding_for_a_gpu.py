"""As much_padding, four times as much: to write it takes a GPU a while."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return F.pad(2 * x + 1, (0, 0, 0, 8188))


def get_inputs():
    return [torch.randn(64, 4, 256)]


def get_init_inputs():
    return []
