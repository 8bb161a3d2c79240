# expect: mismatch values
# problem: plain_rmsnorm
# 3e-7 where that of the type is 1.2e-7.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.RMSNorm(features)

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 3e-7) * self.norm.weight
