# expect: correct
# problem: linear_tail
# options: --precision mixed
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features).half()
        self.scale = scale

    def forward(self, x):
        return torch.relu(self.linear(x.half()).float() * self.scale) + x
