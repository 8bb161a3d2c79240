# expect: mismatch values
# problem: eight_bit_rows
# The scale that it tells is right; the one that it divides by has another bound.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        scale = x.abs().amax(-1, keepdim=True).clamp(min=1e-5) / 127
        return torch.round(x / scale.clamp(min=1e-6)).to(torch.int8), scale
