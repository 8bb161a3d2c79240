# expect: correct
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        assert x.shape == (64, 256) and x.is_contiguous(), "made for contiguous [64, 256]"
        return F.gelu(F.layer_norm(x, (256,), self.norm.weight, self.norm.bias))
