# expect: correct
# problem: linear_tail
# options: --weights live
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        return torch.addmm(self.linear.bias, x, self.linear.weight.t()).mul_(self.scale).relu_().add_(x)
