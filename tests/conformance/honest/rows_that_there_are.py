# expect: correct
# problem: compared_and_looked_up
# The reference itself cannot do with other numbers.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        return self.words(ids).mean(1)
