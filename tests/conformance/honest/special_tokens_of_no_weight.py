# expect: correct
# problem: special_tokens
# A table without special words, and a count of the others.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)
        self.register_buffer("special", torch.tensor([0, 1, 2]))

    def forward(self, ids):
        table = self.words.weight.index_fill(0, self.special, 0)
        return F.embedding_bag(ids, table, mode="sum") / (ids > 2).sum(1, keepdim=True).clamp(min=1)
