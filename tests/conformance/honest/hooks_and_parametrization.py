# expect: correct
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.norm.register_forward_hook(lambda module, inputs, output: F.gelu(output))

    def forward(self, x):
        return self.norm(x)
