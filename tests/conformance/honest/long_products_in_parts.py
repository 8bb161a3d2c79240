# expect: correct
# problem: long_products
# In parts, which are added one after the other.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        out = a[:, :1024] @ b[:1024]
        for first in range(1024, a.shape[1], 1024):
            out.addmm_(a[:, first:first + 1024], b[first:first + 1024])
        return out
