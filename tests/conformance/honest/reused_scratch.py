# expect: correct
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.pool = {}

    def forward(self, x):
        key = tuple(x.shape)
        if key not in self.pool:
            self.pool[key] = torch.empty(x.shape)
        scratch = self.pool[key]
        mean = x.mean(dim=-1, keepdim=True)
        torch.sub(x, mean, out=scratch)
        scale = torch.rsqrt(scratch.square().mean(dim=-1, keepdim=True) + self.norm.eps)
        scratch.mul_(scale).mul_(self.norm.weight).add_(self.norm.bias)
        return F.gelu(scratch)
