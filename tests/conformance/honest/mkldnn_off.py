# expect: correct
# problem: linear_tail
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        with torch.backends.mkldnn.flags(enabled=False):
            return torch.relu(self.linear(x) * self.scale) + x
