# expect: correct
# problem: pooled_statistics
# In another order, each written where it belongs.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        s, n = x * x, x.shape[-1]
        result = torch.empty(*x.shape[:2], 5)
        result[..., 0] = x.sum(-1) / n
        result[..., 1] = ((x - result[..., :1]).square().sum(-1) / (n - 1)).sqrt()
        result[..., 2] = torch.einsum("bct,bct->bc", x, x)
        result[..., 3] = torch.einsum("bct,bct->bc", s, s)
        result[..., 4] = torch.einsum("bct,bct->bc", s, s * s)
        return result.view(len(x), -1)
