# expect: correct
# problem: bags_with_padding
# The text of a word is told by where texts begin, which is in order.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, words, features):
        super().__init__()
        self.bag = nn.EmbeddingBag(words, features)

    def forward(self, ids, starts):
        text = torch.bucketize(torch.arange(len(ids)), starts, right=True) - 1
        known = (ids != 0).float()
        sums = torch.zeros(len(starts), self.bag.embedding_dim).index_add_(0, text, self.bag.weight[ids] * known[:, None])
        return sums / torch.zeros(len(starts)).index_add_(0, text, known).clamp(min=1)[:, None]
