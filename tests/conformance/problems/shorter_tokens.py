"""The mean of all words but the first of each text, without padding (0), of which there is none so far."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        ids = ids[:, 1:].long()
        known = (ids != 0).unsqueeze(-1).float()
        return (self.words(ids) * known).sum(1) / known.sum(1).clamp(min=1)


def get_inputs():
    return [torch.randint(1, 200, (64, 33), dtype=torch.int32)]


def get_init_inputs():
    return [200, 32]
