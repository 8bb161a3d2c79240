# expect: correct
# problem: padding_left_out
# One product for each text in place of one for each word.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features, padding_idx=0)
        self.linear = nn.Linear(features, features)

    def forward(self, ids):
        weight = (ids != 0).unsqueeze(-1).float()
        total, count = (self.words(ids) * weight).sum(1), weight.sum(1)
        return (total @ self.linear.weight.T + count * self.linear.bias) / count.clamp(min=1)
