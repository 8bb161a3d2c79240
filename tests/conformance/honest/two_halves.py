# expect: correct
# problem: two_halves
# The first part is cut out of the bits.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        halves = torch.empty(*x.shape, 2, dtype=torch.bfloat16)
        halves[..., 0] = x
        halves[..., 1] = x - halves[..., 0]
        return halves
