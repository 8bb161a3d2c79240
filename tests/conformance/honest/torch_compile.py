# expect: correct
# slow
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.compiled = torch.compile(lambda t, w, b: F.gelu(F.layer_norm(t, t.shape[-1:], w, b)))

    def forward(self, x):
        return self.compiled(x, self.norm.weight, self.norm.bias)
