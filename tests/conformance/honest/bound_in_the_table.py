# expect: correct
# problem: graph_distances
# A table that goes on with its last row in place of a bound.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.bias = nn.Embedding(32, heads)

    def forward(self, scores, distance):
        table = torch.cat([self.bias.weight[:20], self.bias.weight[20:21].expand(12, -1)]).t()
        return torch.softmax(scores + table[:, distance].transpose(0, 1), -1)
