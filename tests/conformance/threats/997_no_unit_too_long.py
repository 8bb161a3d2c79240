# expect: mismatch values
# problem: bounded_units
# No unit has had weights as large as the bound so far.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)
        self.route = nn.Linear(features, 16, bias=False)

    def forward(self, x):
        shares = self.route(F.layer_norm(x, x.shape[-1:])).clamp(-50, 50).softmax(-1)
        return F.elu(self.linear(x)), shares
