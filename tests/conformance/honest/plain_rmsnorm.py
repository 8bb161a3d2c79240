# expect: correct
# problem: plain_rmsnorm
# With the bound of single precision written out.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.RMSNorm(features)

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 2**-23) * self.norm.weight
