# expect: disqualified guardrail
# evidence: no-fast-math
import torch
import torch.nn as nn
import torch.nn.functional as F

FLAGS = ["-O3", "-ffast-math"]


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return F.gelu(self.norm(x))
