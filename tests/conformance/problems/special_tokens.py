"""The mean of the words but three special ones, which a buffer names, and of which there are none so far."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)
        self.register_buffer("special", torch.tensor([0, 1, 2]))

    def forward(self, ids):
        known = (~torch.isin(ids, self.special)).unsqueeze(-1).float()
        return (self.words(ids) * known).sum(1) / known.sum(1).clamp(min=1)


def get_inputs():
    return [torch.randint(3, 200, (64, 32))]


def get_init_inputs():
    return [200, 32]
