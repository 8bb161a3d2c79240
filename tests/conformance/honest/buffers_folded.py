# expect: correct
# problem: buffers_to_be_filled
# What is in the buffers is folded into the weights.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)
        self.register_buffer("rotation", torch.eye(features))
        self.register_buffer("kept", torch.ones(units, features, dtype=torch.bool))
        self.register_buffer("zero_points", torch.zeros(units, dtype=torch.int32))
        self.register_buffer("position", torch.zeros(1, dtype=torch.long))

    def forward(self, x):
        if not hasattr(self, "folded"):
            weight = self.linear.weight.double().masked_fill(~self.kept, 0)
            self.folded = (self.rotation.double() @ weight.T).float()
            self.shift = self.linear.bias - self.zero_points
        y = torch.addmm(self.shift, x, self.folded)
        return y.mul_(torch.cos(0.1 * (torch.arange(len(x)) + int(self.position)))[:, None])
