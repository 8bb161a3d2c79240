# expect: mismatch values
# problem: linear_tail
# options: --weights live
# Packs the weights once although they may change between calls.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale
        self.packed = None

    def forward(self, x):
        if self.packed is None:
            self.packed = (self.linear.weight.t().clone(), self.linear.bias.clone())
        weight, bias = self.packed
        return torch.relu((x @ weight + bias) * self.scale) + x
