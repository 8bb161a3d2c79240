# expect: mismatch non_finite | mismatch values
# problem: tiny_norm
# The variance as a difference of two large numbers.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        variance = (x * x).mean(dim=-1, keepdim=True) - mean * mean
        return F.gelu((x - mean) * torch.rsqrt(variance + self.norm.eps) * self.norm.weight + self.norm.bias)
