# expect: mismatch generalization
# problem: tiny_norm
# options: --require batch
# Works for the one shape that it knows.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        y = torch.zeros_like(x)
        y[:64] = F.gelu(self.norm(x[:64]))
        return y if x.shape[0] == 64 else y * 0
