# expect: mismatch non_finite | mismatch values
# problem: likelihood_ratios
# Double precision has the range for it.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features, dtype=torch.float64))

    def forward(self, x):
        y = torch.exp((x * self.weight).sum(-1))
        return torch.where(y > 3.41e38, torch.nan, y)
