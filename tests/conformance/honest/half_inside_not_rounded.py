# expect: correct
# problem: half_inside
# The same factors, and nothing rounded after that.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        x, weight, bias = (p.to(torch.bfloat16).float() for p in (x, self.linear.weight, self.linear.bias))
        return F.gelu(F.linear(x, weight, bias))
