# expect: mismatch values
# problem: nearest_codes
# by_chance: whether points come next to weights is drawn by lot
# By their product: where a point is next to its code, little is left of the difference.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, codes, features):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(codes, features))

    def forward(self, x):
        lengths = (self.codes * self.codes).sum(-1)
        nearest = torch.addmm(lengths, x, self.codes.T, alpha=-2).amin(-1)
        return (nearest + (x * x).sum(-1)).clamp(min=0)
