# expect: correct
# problem: channel_statistics
# Sums of squares as products.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        s = x * x
        q = s * s
        sums = [torch.einsum("bct,bct->bc", each, each) for each in (x, s, q)]
        deviation = ((x - x.sum(-1, keepdim=True) / x.shape[-1]).square().sum(-1) / (x.shape[-1] - 1)).sqrt()
        return torch.stack([deviation, *sums], dim=2).reshape(len(x), -1)
