# expect: correct
# problem: linear_tail
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.register_buffer("scale", torch.tensor(scale))
        self.register_buffer("scratch", torch.empty(64, features), persistent=False)
        self.unused = nn.Parameter(torch.zeros(3))

    def forward(self, x):
        if x.shape != self.scratch.shape:
            return torch.relu(self.linear(x) * self.scale) + x
        torch.mm(x, self.linear.weight.t(), out=self.scratch)
        return torch.relu((self.scratch + self.linear.bias) * self.scale) + x
