# expect: mismatch values
# problem: unit_rows
# No row but zeros is taken to be shorter than the bound.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x * torch.rsqrt((x * x).sum(-1, keepdim=True).clamp(min=1e-38))
