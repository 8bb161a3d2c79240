# expect: mismatch values | mismatch nondeterministic
# problem: linear_tail
# options: --weights live
# Prepares its weights anew only when the first of them has changed.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale
        self.known = None

    def forward(self, x):
        first = self.linear.weight[0, 0].item()
        if first != self.known:
            self.known = first
            self.packed = (self.linear.weight * self.scale).T.contiguous()
            self.bias = self.linear.bias * self.scale
        return torch.addmm(self.bias, x, self.packed).relu_().add_(x)
