"""Means of words, without those that are not known: their number is negative. The texts at hand have none."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        known = ids >= 0
        sums = (self.words(ids.clamp(min=0)) * known.unsqueeze(-1)).sum(1)
        return sums / known.sum(1, keepdim=True).clamp(min=1)


def get_inputs():
    return [torch.randint(0, 1000, (128, 32))]


def get_init_inputs():
    return [1000, 64]
