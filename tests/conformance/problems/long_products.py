"""Products of long rows of positive numbers: the errors of so many terms cancel out, next to what these come to."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.rand(32, 131072), torch.rand(131072, 32)]


def get_init_inputs():
    return []
