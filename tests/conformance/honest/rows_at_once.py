# expect: correct
# problem: rows_by_vmap
# All rows by one product; those that are zeros have a count of one.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(features))
        self.register_buffer("share", torch.ones(features))

    def forward(self, x):
        return (x @ (self.weight * self.share)) / x.count_nonzero(-1).clamp(min=1)
