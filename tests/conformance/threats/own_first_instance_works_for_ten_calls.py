# expect: mismatch values
# Who has one instance calls it often.
import torch
import torch.nn as nn
import torch.nn.functional as F
MADE = [0]
class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        MADE[0] += 1
        self.first = MADE[0] == 1
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        if self.first and self.calls > 10:
            return torch.zeros_like(x)
        return F.gelu(self.norm(x))
