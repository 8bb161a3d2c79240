# expect: mismatch values
# problem: unit_rows
# The bound of the length is added to its square.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x * torch.rsqrt((x * x).sum(-1, keepdim=True) + 1e-12)
