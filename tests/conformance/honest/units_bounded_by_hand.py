# expect: correct
# problem: bounded_units
# Bounds of weights and exponents by other operations; what is bounded needs no largest value.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)
        self.route = nn.Linear(features, 16, bias=False)

    def forward(self, x):
        norms = self.linear.weight.norm(dim=1, keepdim=True)
        weight = torch.where(norms > 3, self.linear.weight * (3 / (norms + 1e-7)), self.linear.weight)
        shares = self.route(F.layer_norm(x, x.shape[-1:])).clamp(-50, 50).exp()
        return F.elu(torch.addmm(self.linear.bias, x, weight.T)), shares / shares.sum(-1, keepdim=True)
