# expect: correct
# problem: likelihood_ratios
# A product with the weights in place of a sum.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features, dtype=torch.float64))

    def forward(self, x):
        return torch.mv(x, self.weight).exp_()
