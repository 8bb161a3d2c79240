# expect: mismatch values
# problem: magnitudes
# Complex numbers are taken for as small as the problem makes them.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, z):
        return torch.log1p(z.abs().clamp(max=10.0))
