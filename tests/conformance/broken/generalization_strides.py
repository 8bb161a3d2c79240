# expect: mismatch generalization
# options: --require strides
import ctypes

import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        y = torch.empty(x.shape)
        ctypes.memmove(y.data_ptr(), x.data_ptr(), x.numel() * 4)
        return F.gelu(self.norm(y))
