# expect: runtime_error out_of_memory
# options: --memory-limit-mb 2000
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return F.gelu(self.norm(x)) + torch.zeros(1 << 40)[0]
