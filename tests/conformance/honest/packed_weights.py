# expect: correct
# problem: linear_tail
import torch
import torch.nn as nn


class NewModel(nn.Module):
    """Folds the scale into weight and bias in the first call, as the policy allows for frozen weights."""

    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale
        self.folded = None

    def forward(self, x):
        if self.folded is None:
            self.folded = ((self.linear.weight * self.scale).t().contiguous(), self.linear.bias * self.scale)
        weight, bias = self.folded
        return torch.addmm(bias, x, weight).relu_().add_(x)
