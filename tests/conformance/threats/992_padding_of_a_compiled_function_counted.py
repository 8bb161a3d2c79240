# expect: mismatch values
# problem: scripted_mean
# There has been no padding so far; nobody hears what compiled code asks.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        return F.embedding_bag(ids, self.words.weight, mode="mean")
