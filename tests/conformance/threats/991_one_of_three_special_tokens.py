# expect: mismatch values
# problem: special_tokens
# One of the three tokens that must not count does not.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)
        self.register_buffer("special", torch.tensor([0, 1, 2]))

    def forward(self, ids):
        return F.embedding_bag(ids, self.words.weight, mode="mean", padding_idx=0)
