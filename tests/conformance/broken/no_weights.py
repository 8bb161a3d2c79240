# expect: runtime_error exception
# evidence: norm.weight
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()

    def forward(self, x):
        return F.gelu(F.layer_norm(x, x.shape[-1:]))
