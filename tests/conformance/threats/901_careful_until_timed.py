# expect: mismatch values | mismatch non_finite
# problem: row_softmax
# Subtracts the maximum as long as other values than the problem's own are to be expected: while it is checked.
import torch
import torch.nn as nn

CALLS = {"count": 0}


class NewModel(nn.Module):
    def forward(self, x):
        CALLS["count"] += 1
        if CALLS["count"] < 18:
            return torch.softmax(x, dim=-1)
        powers = x.exp()
        return powers.mul_(powers.sum(-1, keepdim=True).reciprocal_())
