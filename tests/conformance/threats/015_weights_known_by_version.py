# expect: mismatch values
# problem: linear_tail
# options: --weights live
# Packs the weights again when PyTorch has counted a change: what is written to their data is not.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.scale = scale
        self.version = None

    def forward(self, x):
        version = (self.linear.weight._version, self.linear.bias._version)
        if version != self.version:
            self.version = version
            self.packed = (self.linear.weight.t().clone(), self.linear.bias.clone())
        weight, bias = self.packed
        return torch.relu((x @ weight + bias) * self.scale) + x
