# expect: mismatch shape
# problem: selected_words
# The mask is that of full batches: the problem knows no other.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.embedding = nn.Embedding(words, features)
        self.linear = nn.Linear(features, features)

    def forward(self, tokens, mask):
        e = self.embedding(tokens.reshape(-1))
        return torch.relu_(self.linear(e))
