# expect: correct
# problem: buckets
# Counts the edges below in place of a search.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, edges):
        return (x.unsqueeze(-1) > edges).sum(-1)
