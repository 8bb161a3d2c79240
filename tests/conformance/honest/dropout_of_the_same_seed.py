# expect: correct
# problem: seeded_dropout
# Draws the mask with a generator of its own, and scales in place.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, outputs, share):
        super().__init__()
        self.linear = nn.Linear(features, outputs)
        self.share = share

    def forward(self, x):
        y = self.linear(x)
        mask = torch.rand(y.shape, generator=torch.Generator().manual_seed(0)) >= self.share
        return y.mul_(1 / (1 - self.share)).mul_(mask)
