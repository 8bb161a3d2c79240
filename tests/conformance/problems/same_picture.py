"""A rank filter on a picture of four grey levels, the same each time."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.sort(x, dim=-1).values


def get_inputs():
    generator = torch.Generator().manual_seed(7)
    return [torch.randint(1, 5, (64, 4096), generator=generator).float() / 4]


def get_init_inputs():
    return []
