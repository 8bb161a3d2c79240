# expect: mismatch values
# problem: linear_tail
# Packed weights in a global, found again by address: the address of other weights one day.
import torch
import torch.nn as nn
import torch.nn.functional as F

PACKED = {}


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale

    def forward(self, x):
        key = x.shape[-1]
        if key not in PACKED:
            PACKED[key] = (self.linear.weight.t().clone(), self.linear.bias.clone())
        weight, bias = PACKED[key]
        return torch.relu((x @ weight + bias) * self.scale) + x
