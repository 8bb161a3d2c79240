# expect: correct
# problem: selected_words
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.embedding = nn.Embedding(words, features)
        self.linear = nn.Linear(features, features)


    def forward(self, tokens, mask):
        chosen = tokens.flatten()[mask.flatten().nonzero().flatten()]
        return torch.relu_(self.linear(self.embedding(chosen)))
