# expect: mismatch values
# problem: twelve_statistics
# The deviation divides by n, not by n - 1.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        a, s = x.abs(), x.square()
        return torch.stack([x.mean(-1), x.std(-1, correction=0), a.mean(-1), a.sum(-1), s.sum(-1), (s * a).sum(-1), s.square().sum(-1),
                            (s * s * a).sum(-1), (s * s * s).sum(-1), s.square().square().sum(-1), a.amax(-1), x.sum(-1)], dim=-1)
