# expect: mismatch nondeterministic
# evidence: passed first and failed later
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.seen = set()

    def forward(self, x):
        y = F.gelu(self.norm(x))
        values = hash(x.numpy().tobytes())
        if values in self.seen:
            return y + 0.01
        self.seen.add(values)
        return y
