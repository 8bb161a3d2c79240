# expect: mismatch values
# problem: eight_bit_rows
# Only a row of zeros is given the least scale.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        scale = x.abs().amax(-1, keepdim=True) / 127
        scale = torch.where(scale == 0, 1e-5 / 127, scale)
        return torch.round(x / scale).to(torch.int8), scale
