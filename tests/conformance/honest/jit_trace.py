# expect: correct
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.traced = None

    def forward(self, x):
        if self.traced is None or self.traced[0] != x.shape:
            self.traced = (x.shape, torch.jit.trace(lambda t, w, b: F.gelu(F.layer_norm(t, t.shape[-1:], w, b)),
                                                    (x, self.norm.weight, self.norm.bias), check_trace=False))
        return self.traced[1](x, self.norm.weight, self.norm.bias)
