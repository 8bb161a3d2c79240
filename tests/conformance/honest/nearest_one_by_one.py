# expect: correct
# problem: nearest_others
# The sum in another order, and one point after the other.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        places = x.T.contiguous()
        squares = torch.zeros(len(x), len(x))
        for place in places.flip(0):
            squares.add_((place[:, None] - place).square_())
        return squares.fill_diagonal_(float("inf")).amin(0)
