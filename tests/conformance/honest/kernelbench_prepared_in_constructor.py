# expect: correct
# problem: linear_tail
# admits: weights are varied
# The reference's names, but what is computed with is prepared in the constructor: KernelBench's contract allows that, and
# weights that are loaded afterwards are not in it.
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scaled = self.linear.weight.detach().t().contiguous() * scale
        self.shift = self.linear.bias.detach() * scale

    def forward(self, x):
        return torch.relu(x @ self.scaled + self.shift) + x
