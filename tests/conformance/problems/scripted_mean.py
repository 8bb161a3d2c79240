"""The mean of words but for padding (0), which a compiled function leaves out, and of which there is none so far."""

import torch
import torch.nn as nn


@torch.jit.script
def mean_of_known(words: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
    known = (ids != 0).unsqueeze(-1).float()
    return (words * known).sum(1) / known.sum(1).clamp(min=1.0)


class Model(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        return mean_of_known(self.words(ids), ids)


def get_inputs():
    return [torch.randint(1, 200, (64, 32))]


def get_init_inputs():
    return [200, 32]
