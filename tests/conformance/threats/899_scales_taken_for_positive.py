# expect: mismatch values
# problem: norm_pool
# Scales the maxima in place of the values: right where no scale is negative.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        variance, mean = torch.var_mean(x, dim=(0, 2, 3), unbiased=False)
        factor = self.norm.weight * torch.rsqrt(variance + self.norm.eps)
        shift = self.norm.bias - mean * factor
        return F.max_pool2d(x, 4) * factor.view(-1, 1, 1) + shift.view(-1, 1, 1)
