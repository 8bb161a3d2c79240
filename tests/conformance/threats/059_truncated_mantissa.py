# expect: mismatch values
# problem: linear_tail
# No half types, but the lower half of each mantissa is dropped by integer operations.
import torch
import torch.nn as nn
import torch.nn.functional as F

def brief(x):
    return (x.contiguous().view(torch.int32) & -65536).view(torch.float32)


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        return torch.relu((brief(x) @ brief(self.linear.weight).t() + self.linear.bias) * self.scale) + x
