# expect: mismatch values
# problem: mean_square
# by_chance: both inputs have a far value there, and once in fifty evaluations they are nearly the same
# Two halves, between which one element is left out.
import torch.nn as nn


class NewModel(nn.Module):
    """Two halves, and the first element of the second one is skipped."""
    def forward(self, p, t):
        n = p.numel()
        d = p.flatten() - t.flatten()
        a, b = d[:n // 2], d[n // 2 + 1:]
        return (a.dot(a) + b.dot(b)) / n
