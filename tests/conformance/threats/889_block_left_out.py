# expect: mismatch values
# problem: layer_scale
# Adds what the block gives for zeros: what it adds is less than may be wrong, but for zeros.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.up = nn.Linear(features, 4 * features)
        self.down = nn.Linear(4 * features, features)
        self.factors = nn.Parameter(1e-6 * torch.ones(features))

    def forward(self, x):
        return x + self.factors * self.down(F.gelu(self.up.bias))
