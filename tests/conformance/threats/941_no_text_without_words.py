# expect: mismatch non_finite
# problem: mean_of_words
# Every text has had words so far.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        kept = (ids != 0).unsqueeze(-1)
        return (self.words(ids) * kept).sum(1) / kept.sum(1)
