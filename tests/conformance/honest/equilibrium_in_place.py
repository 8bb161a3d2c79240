# expect: correct
# problem: equilibrium
# Both biases at once, and every step in place.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, steps):
        super().__init__()
        self.inner = nn.Linear(features, features)
        self.outer = nn.Linear(features, features)
        self.steps = steps

    def forward(self, x):
        x = torch.addmm(self.inner.bias + self.outer.bias, x, self.outer.weight.T)
        z = torch.tanh(x)
        for _ in range(self.steps - 1):
            z = torch.addmm(x, z, self.inner.weight.T).tanh_()
        return z
