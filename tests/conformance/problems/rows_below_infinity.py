"""Rows that are not finite are zeros before they are normalised; there are none so far."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        known = (x.abs() < float("inf")).all(-1, keepdim=True)
        return F.layer_norm(torch.where(known, x, 0.0), x.shape[-1:])


def get_inputs():
    return [torch.randn(256, 128)]


def get_init_inputs():
    return []
