# expect: correct
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        centred = x - mean
        variance = (centred * centred).mean(dim=-1, keepdim=True)
        y = centred * torch.rsqrt(variance + self.norm.eps) * self.norm.weight + self.norm.bias
        return 0.5 * y * (1 + torch.erf(y * 0.7071067811865476))
