# expect: mismatch values
# problem: padding_left_out
# There has been no padding so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features, padding_idx=0)
        self.linear = nn.Linear(features, features)

    def forward(self, ids):
        return self.linear(self.words(ids).mean(1))
