"""Rows with missing values, which no input of its own has."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        known = torch.nan_to_num(x, nan=0.0, posinf=10.0, neginf=-10.0)
        return F.layer_norm(known, known.shape[-1:])


def get_inputs():
    return [torch.randn(256, 512)]


def get_init_inputs():
    return []
