# expect: correct
# problem: moving_mean
# Returns a copy of the state, where the reference returns the state itself.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.register_buffer("mean", torch.zeros(64, features))

    def forward(self, x):
        y = self.linear(x)
        self.mean.lerp_(y, 0.1)
        return torch.tanh(y), self.mean.clone()
