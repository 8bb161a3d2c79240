# expect: mismatch values
# problem: pooled_statistics
# The deviation divides by n, not by n - 1.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        s, mean = x.square(), x.mean(-1)
        deviation = (x - mean[..., None]).square().mean(-1).sqrt()
        return torch.stack((mean, deviation, s.sum(-1), s.square().sum(-1), (s * s * s).sum(-1)), -1).flatten(1)
