# expect: correct
# problem: unit_places
# The bound is that of the square.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x * torch.rsqrt((x * x).sum(1, keepdim=True).clamp(min=1e-16))
