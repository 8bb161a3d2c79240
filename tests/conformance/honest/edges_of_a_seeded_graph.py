# expect: correct
# problem: seeded_graph
# As many edges as there are weights, also when it is timed.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, count):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(count))

    def forward(self, x, edges):
        matrix = x.new_zeros(len(x), len(x)).index_put_((edges[1], edges[0]), self.weight)
        return matrix @ x
