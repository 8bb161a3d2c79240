# expect: mismatch shape
# evidence: 2 outputs, expected 1
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        y = F.gelu(self.norm(x))
        return y, y.clone()
