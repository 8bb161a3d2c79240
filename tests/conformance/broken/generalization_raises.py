# expect: mismatch generalization
# options: --require batch
# evidence: 64 rows
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        assert x.shape[0] == 64, "made for 64 rows"
        return F.gelu(self.norm(x))
