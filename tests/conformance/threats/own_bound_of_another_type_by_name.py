# expect: mismatch values
# problem: norm_with_the_bound_of_its_type
# 3e-7 where that of the type is 1.2e-7.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 3e-7) * self.weight
