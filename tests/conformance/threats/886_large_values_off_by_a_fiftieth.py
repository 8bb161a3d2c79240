# expect: mismatch values
# problem: linear_gelu
# options: --precision mixed
# Half precision is no excuse for large values that are two hundredths off.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        y = self.linear(x)
        return F.gelu(torch.where(y.abs() > 30, 0.98 * y, y))
