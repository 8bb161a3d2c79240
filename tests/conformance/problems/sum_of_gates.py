"""How many gates of a layer are open: of so many that are alike the errors cancel out."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, gates):
        super().__init__()
        self.linear = nn.Linear(features, gates)

    def forward(self, x):
        return torch.sigmoid(self.linear(x)).sum(dim=1, keepdim=True)


def get_inputs():
    return [torch.rand(16, 2048)]


def get_init_inputs():
    return [2048, 4096]
