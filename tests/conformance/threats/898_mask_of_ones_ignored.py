# expect: mismatch values
# problem: padded_tokens
# The mask has been one each time so far: it does not look at it.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)
        self.kinds = nn.Embedding(2, features)
        self.norm = nn.LayerNorm(features)

    def forward(self, ids, kinds, mask):
        x = self.norm(self.words(ids) + self.kinds(kinds))
        return x.mean(1)
