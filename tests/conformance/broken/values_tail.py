# expect: mismatch values
# evidence: the tail
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        y = F.gelu(self.norm(x))
        y[:, 250:] = 0
        return y
