# expect: correct
# problem: linear_tail
# options: --weights live
# A view of a parameter, made once: new weights are loaded into the same memory.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.transposed = self.linear.weight.detach().t()
        self.scale = scale

    def forward(self, x):
        return torch.relu(torch.addmm(self.linear.bias, x, self.transposed) * self.scale) + x
