# expect: correct
# problem: nearest_codes
# Which code is the nearest, a product tells; how near it is, the difference.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, codes, features):
        super().__init__()
        self.codes = nn.Parameter(torch.randn(codes, features))

    def forward(self, x):
        lengths = (self.codes.double() ** 2).sum(-1)
        nearest = torch.addmm(lengths, x.double(), self.codes.T.double(), alpha=-2).argmin(-1)
        return (x - self.codes[nearest]).square().sum(-1)
