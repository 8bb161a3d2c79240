# expect: mismatch non_finite | mismatch values
# problem: partners
# Everybody has had partners so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, z, y):
        z = z / z.norm(dim=1, keepdim=True).clamp(min=1e-12)
        s = (z @ z.T * 10).fill_diagonal_(float("-inf"))
        pos = (y[:, None] == y).float().fill_diagonal_(0)
        return (torch.logsumexp(s, 1) - (s.fill_diagonal_(0) * pos).sum(1) / pos.sum(1)).mean()
