# expect: correct
# problem: experts
# One product for all tokens of an expert.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, experts):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(experts, features, features))

    def forward(self, x, expert):
        order = expert.argsort()
        counts = torch.bincount(expert, minlength=len(self.weight)).tolist()
        result = torch.empty_like(x)
        for tokens, weight in zip(order.split(counts), self.weight):
            result[tokens] = x[tokens] @ weight
        return result
