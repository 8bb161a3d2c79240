# expect: mismatch values
# problem: padded_bags
# No word has been padding so far.
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.bag = nn.EmbeddingBag(words, features)

    def forward(self, ids):
        return F.embedding_bag(ids, self.bag.weight, mode="mean")
