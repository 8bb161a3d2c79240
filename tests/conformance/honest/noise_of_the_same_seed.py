# expect: correct
# problem: seeded_noise
# Draws the noise with a generator of its own.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, outputs, scale):
        super().__init__()
        self.linear = nn.Linear(features, outputs)
        self.scale = scale

    def forward(self, x):
        y = self.linear(x)
        return y.add_(torch.randn(y.shape, generator=torch.Generator().manual_seed(0)), alpha=self.scale)
