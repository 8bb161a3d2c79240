# expect: correct
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x, norm_only=False):
        if norm_only:
            return self.norm(x)
        state = dict(self.named_parameters())
        return F.gelu(torch.func.functional_call(self, state, (x,), {"norm_only": True}))
