# expect: mismatch values
# problem: linear_tail
# Of two models in one process, the second computes with what the first one has.
import torch
import torch.nn as nn
import torch.nn.functional as F

FIRST = []


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale
        FIRST.append((self.linear.weight, self.linear.bias))

    def forward(self, x):
        w, b = FIRST[0]
        return torch.relu(F.linear(x, w, b) * self.scale) + x
