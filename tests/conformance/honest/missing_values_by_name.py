# expect: correct
# problem: zeros_for_missing_values
# Asks for what is missing in another way.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        self.linear = nn.Linear(features, outputs)

    def forward(self, x):
        return self.linear(x.masked_fill(torch.isnan(x), 0.0))
