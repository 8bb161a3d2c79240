# expect: mismatch generalization
# options: --require batch
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        y = torch.empty_like(x)
        y[:] = F.gelu(self.norm(x))
        if x.shape[0] != 64:
            y[0] = 0
        return y
