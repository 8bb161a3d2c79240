# expect: mismatch values
# problem: linear_tail
# As before, with the address of the weight as the key: new weights get the place of old ones.
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
        key = self.linear.weight.data_ptr()
        if key not in PACKED:
            PACKED[key] = (self.linear.weight.t().clone(), self.linear.bias.clone())
        weight, bias = PACKED[key]
        return torch.relu((x @ weight + bias) * self.scale) + x
