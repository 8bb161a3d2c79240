# expect: correct
# problem: divided_by_sums
# The sum is a product with ones, and the division one with its inverse.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x * (1 / (x @ torch.ones(x.shape[1], 1)))
