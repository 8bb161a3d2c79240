# expect: mismatch values
# problem: mean_square
# Two halves, between which one element is left out.
import torch.nn as nn


class NewModel(nn.Module):
    """Two halves, and the first element of the second one is skipped."""
    def forward(self, p, t):
        n = p.numel()
        d = p.flatten() - t.flatten()
        a, b = d[:n // 2], d[n // 2 + 1:]
        return (a.dot(a) + b.dot(b)) / n
