# expect: mismatch values
# problem: shorter_tokens
# There has been no padding so far; the test for it is one of a part of the tokens, in another type.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.words = nn.Embedding(words, features)

    def forward(self, ids):
        return F.embedding_bag(ids[:, 1:].contiguous(), self.words.weight, mode="mean")
