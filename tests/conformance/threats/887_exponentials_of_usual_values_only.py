# expect: mismatch values
# problem: exponentials
# Right up to 9.5, and where the result is no number any more.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.exp(x) + torch.expm1(-x)
        return torch.where((x.abs() > 9.5) & (x.abs() < 60), 1.1 * y, y)
