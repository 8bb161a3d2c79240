# expect: correct
# problem: nearest_others
# By their product, which double precision has the room for.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        wide = x.double()
        squares = (wide * wide).sum(-1)
        squares = torch.addmm(squares[:, None] + squares, wide, wide.T, alpha=-2)
        return squares.fill_diagonal_(float("inf")).amin(-1).to(x.dtype)
