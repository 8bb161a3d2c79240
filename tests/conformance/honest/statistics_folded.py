# expect: correct
# problem: batch_norm
# options: --mode eval
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)
        self.folded = None

    def forward(self, x):
        if self.folded is None:
            factor = self.norm.weight * torch.rsqrt(self.norm.running_var + self.norm.eps)
            shift = self.norm.bias - factor * self.norm.running_mean
            self.folded = factor.view(-1, 1, 1), shift.view(-1, 1, 1)
        return torch.relu(x * self.folded[0] + self.folded[1])
