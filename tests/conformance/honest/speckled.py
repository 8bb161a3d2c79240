# expect: correct
# problem: speckled
# The noise is drawn first.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.filter = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        torch.manual_seed(7)
        noise = torch.randn(x.shape).mul_(0.004).add_(1)
        return torch.add(x, self.filter(x), alpha=0.1).mul_(noise)
