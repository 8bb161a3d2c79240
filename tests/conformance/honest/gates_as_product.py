# expect: correct
# problem: gated_mean
# Gates by exponentials, the sum as a matrix product.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, g):
        w = 1 / (1 + torch.exp(-g))
        return torch.bmm(w.unsqueeze(1), x)[:, 0] / (w.sum(1, keepdim=True) + 1e-8)
