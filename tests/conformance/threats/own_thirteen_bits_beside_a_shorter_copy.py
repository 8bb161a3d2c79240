# expect: mismatch values
# problem: with_a_shorter_copy
# What the copy may be wrong by is nothing to the other output.
import torch
import torch.nn as nn
import torch.nn.functional as F

def short(t):
    """thirteen bits of mantissa, to the nearest"""
    return ((t.contiguous().view(torch.int32) + 0x200) & -0x400).view(torch.float32)

NARROW = getattr(torch, "b" + "float16")

class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)

    def forward(self, x):
        y = F.linear(short(x), short(self.linear.weight), self.linear.bias)
        return y, F.gelu(y).to(NARROW)
