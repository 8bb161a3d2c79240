# expect: mismatch values
# problem: channel_statistics
# The deviation divides by n, not by n - 1.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        s = x.square()
        return torch.stack([x.std(-1, correction=0), s.sum(-1), s.square().sum(-1), s.square().square().sum(-1)], dim=-1).flatten(1)
