# expect: correct
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        with torch.profiler.record_function("norm"):
            y = self.norm(x)
        with torch.profiler.record_function("gelu"), torch.autograd.profiler.record_function("inner"):
            return F.gelu(y)
