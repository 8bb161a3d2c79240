# expect: correct
import torch
import torch.nn as nn
import torch.nn.functional as F

# Γ: γάμμα, 正規化, нормировка, ﻿🙂
Σ = torch.sum


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        μ = Σ(x, dim=-1, keepdim=True) / x.shape[-1]
        δ = x - μ
        σ = torch.sqrt(Σ(δ * δ, dim=-1, keepdim=True) / x.shape[-1] + self.norm.eps)
        return F.gelu(δ / σ * self.norm.weight + self.norm.bias)  # naïve, but right
