# expect: mismatch values
# problem: bounded_words
# All words have been longer than the bound so far.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        return F.embedding(ids, F.normalize(self.words.weight, dim=1))
