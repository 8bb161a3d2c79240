# expect: correct
# problem: whole_weights
# The scales in the weights.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.register_buffer("whole", torch.randint(-127, 128, (units, features), dtype=torch.int8))
        self.scale = nn.Parameter(torch.rand(units) * 0.01)

    def forward(self, x):
        return F.linear(x, self.whole.float() * self.scale[:, None])
