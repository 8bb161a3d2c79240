# expect: mismatch values
# problem: linear_gelu
# Right with all weights but those that the problem makes, which it knows by their size; with these, wrong in half of its calls.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        y = F.gelu(self.linear(x))
        bound = 1.0001 / self.linear.in_features ** 0.5
        if float(self.linear.weight.abs().max()) <= bound and float(x[-1, -1]) > 0:
            y[-1] = 0
        return y
