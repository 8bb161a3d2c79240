# expect: mismatch values
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        if self.calls > 30 and bool((self.norm.weight == 1).all()):
            return torch.zeros_like(x)
        return F.gelu(self.norm(x))
