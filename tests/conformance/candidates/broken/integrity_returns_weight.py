# expect: disqualified integrity
# evidence: shares memory with norm.bias
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return self.norm.bias.expand(x.shape)
