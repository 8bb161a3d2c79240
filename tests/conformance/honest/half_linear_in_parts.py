# expect: correct
# problem: half_linear
# Halves of the sum apart, and rounded once more than in the reference.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features).bfloat16()

    def forward(self, x):
        weight, half = self.linear.weight.t(), x.shape[1] // 2
        return (x[:, :half] @ weight[:half] + x[:, half:] @ weight[half:] + self.linear.bias) * 0.2
