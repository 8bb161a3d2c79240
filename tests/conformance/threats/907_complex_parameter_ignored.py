# expect: mismatch values
# problem: spectral_filter
# Leaves out the filter, as it is all ones.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.filter = nn.Parameter(torch.ones(features // 2 + 1, dtype=torch.complex64))

    def forward(self, x):
        return x.clone()
