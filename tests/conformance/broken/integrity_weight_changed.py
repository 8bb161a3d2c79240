# expect: disqualified integrity
# problem: linear_tail
# evidence: linear.weight was changed
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        y = torch.relu(self.linear(x) * self.scale) + x
        self.linear.weight.mul_(2)
        return y
