# expect: runtime_error exception
# evidence: takes
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(256)

    def forward(self, x):
        return F.gelu(self.norm(x))
