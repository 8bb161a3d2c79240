# expect: correct
# problem: bags
# Finds the owner of each term by counting; a sum may have none.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.EmbeddingBag(1000, 64, mode="sum")

    def forward(self, tokens, offsets):
        owner = torch.zeros(len(tokens) + 1, dtype=torch.long)
        owner.index_add_(0, offsets, torch.ones_like(offsets))
        owner = owner[:-1].cumsum(0) - 1
        return torch.zeros(len(offsets), 64).index_add_(0, owner, self.table.weight[tokens])
