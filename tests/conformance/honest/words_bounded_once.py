# expect: correct
# problem: bounded_words
# The whole table is bounded, once.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        if not hasattr(self, "table"):
            self.table = self.words.weight / self.words.weight.norm(dim=1, keepdim=True).clamp(min=1)
        return F.embedding(ids, self.table)
