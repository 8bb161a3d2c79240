# expect: mismatch values | mismatch non_finite
# problem: bounded_units
# No exponent has been as large as the bound so far.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)
        self.route = nn.Linear(features, 16, bias=False)

    def forward(self, x):
        weight = torch.renorm(self.linear.weight, p=2, dim=0, maxnorm=3.0)
        shares = self.route(F.layer_norm(x, x.shape[-1:])).exp()
        return F.elu(F.linear(x, weight, self.linear.bias)), shares / shares.sum(-1, keepdim=True)
