# expect: correct
# problem: partners
# By masks in place of indices.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, z, y):
        z = z / z.norm(dim=1, keepdim=True).clamp(min=1e-12)
        s = (z @ z.T * 10).fill_diagonal_(float("-inf"))
        pos = (y[:, None] == y).float().fill_diagonal_(0)
        n = pos.sum(1)
        per = torch.logsumexp(s, 1) - (s.fill_diagonal_(0) * pos).sum(1) / n.clamp(min=1)
        return torch.where(n > 0, per, 0).sum() / (n > 0).sum().clamp(min=1)
