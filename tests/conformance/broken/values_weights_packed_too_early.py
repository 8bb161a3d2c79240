# expect: mismatch values
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.packed = self.norm.weight.detach().clone()

    def forward(self, x):
        return F.gelu(F.layer_norm(x, x.shape[-1:], self.packed, self.norm.bias))
