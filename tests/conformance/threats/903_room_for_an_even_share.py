# expect: mismatch values
# problem: experts
# An expert has room for twice its share of the tokens; the others are dropped.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, experts):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(experts, features, features))

    def forward(self, x, expert):
        result = torch.zeros_like(x)
        room = 2 * len(x) // len(self.weight)
        for index, weight in enumerate(self.weight):
            tokens = (expert == index).nonzero().flatten()[:room]
            result[tokens] = x[tokens] @ weight
        return result
