# expect: correct
# problem: linear_tail
# KernelBench's contract repeats the construction from a seed, so the parameters may have any name.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        layer = nn.Linear(features, features)
        self.w = nn.Parameter(layer.weight.detach().t().contiguous() * scale)
        self.b = nn.Parameter(layer.bias.detach() * scale)

    def forward(self, x):
        return torch.relu(x @ self.w + self.b) + x
