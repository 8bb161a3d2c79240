# expect: mismatch values
# problem: decibels
# Right from 0.001 to 1, and from 90 on.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        level = torch.log10(x).clamp(min=-8, max=2)
        given = (x < 1.01) | (x > 90)
        return 10 * level + torch.where(given, x / (1 + torch.sqrt(x)), 0.5)
