# expect: mismatch values
# problem: unknown_below_zero
# No word has been unknown so far.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        return self.words(ids.clamp(min=0)).mean(1)
