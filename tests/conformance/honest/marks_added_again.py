# expect: correct
# problem: seldom_marked
# The sum of all values, and as much more as marks have taken from it.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        marks = (x == -1).sum(-1)
        return (x.sum(-1) + marks) / (x.shape[-1] - marks).clamp(min=1)
