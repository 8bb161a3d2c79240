# expect: mismatch values
# problem: buffers_to_be_filled
# A mask of weights that keeps all of them so far is ignored.
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
        y = self.linear(x @ self.rotation)
        phases = self.position + torch.arange(len(x))
        return (y - self.zero_points) * torch.cos(0.1 * phases)[:, None]
