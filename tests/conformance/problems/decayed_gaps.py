"""What is left of one event at the next: gaps between seconds of a day, which single precision tells exactly."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, times):
        return torch.exp(-(times[:, 1:] - times[:, :-1]) / 5.0)


def get_inputs():
    return [(torch.rand(8, 8192) * 86400).sort(dim=1).values]


def get_init_inputs():
    return []
