# expect: mismatch values
# problem: row_softmax
# by_chance: once in forty evaluations no row has two large values
# No maximum is subtracted where a sample shows no need; one value that is large is bounded, two in a row are not told apart.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        if x[::16, ::16].abs().max() > 8:
            return torch.softmax(x, dim=-1)
        powers = x.clamp(max=80.0).exp_()
        return powers.mul_(powers.sum(-1, keepdim=True).reciprocal_())
