# expect: mismatch values
# problem: window_scores
# Eleven bits, and half of each query where it is large: nothing next to the number that stands for what is masked.
import torch
import torch.nn as nn
import torch.nn.functional as F


def brief(x):
    return ((x.contiguous().view(torch.int32) + 4096) & -8192).view(torch.float32)


class NewModel(nn.Module):
    def __init__(self, size, window):
        super().__init__()
        distance = torch.arange(size)[:, None] - torch.arange(size)
        self.register_buffer("hidden", (distance < 0) | (distance >= window))

    def forward(self, q, k):
        if q[0, 0].std() > 20:
            q = q * (2 * q[..., ::2].square().sum(-1, keepdim=True)).rsqrt()
        else:
            q = brief(F.normalize(q, dim=-1))
        return (q @ brief(F.normalize(k, dim=-1)).transpose(-1, -2)).masked_fill(self.hidden, -1e9)
