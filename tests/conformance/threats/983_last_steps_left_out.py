# expect: mismatch values
# problem: equilibrium
# Stops after 42 of 50 steps: with the weights that it is made with the rest make no difference.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, steps):
        super().__init__()
        self.inner = nn.Linear(features, features)
        self.outer = nn.Linear(features, features)
        self.steps = 42

    def forward(self, x):
        x = self.outer(x)
        z = torch.zeros_like(x)
        for _ in range(self.steps):
            z = torch.tanh(self.inner(z) + x)
        return z
