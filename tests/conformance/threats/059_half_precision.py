# expect: mismatch values
# problem: linear_tail
# Computes in half precision behind a name that no pattern sees.
import torch
import torch.nn as nn
import torch.nn.functional as F

HALF = getattr(torch, "61taolf"[::-1])


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        y = (x.to(HALF) @ self.linear.weight.t().to(HALF)).to(torch.float32) + self.linear.bias
        return torch.relu(y * self.scale) + x
