# expect: correct
# problem: nearest_graph
# Squares of distances by a product, the nearest by these.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, neighbours):
        super().__init__()
        self.neighbours = neighbours

    def forward(self, x):
        squares = (x * x).sum(-1)
        distances = torch.addmm(squares[:, None] + squares, x, x.t(), alpha=-2).clamp_(min=0)
        values, indices = distances.topk(self.neighbours, dim=-1, largest=False)
        return torch.zeros(len(x), len(x)).scatter_(1, indices, values.mul_(-0.5).exp_())
