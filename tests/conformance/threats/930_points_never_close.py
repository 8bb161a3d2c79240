# expect: mismatch values
# problem: nearest_others
# by_chance: around how many places points lie is drawn by lot
# Without their mean, but by their product: where points are close to each other and far from others, little is left of the difference.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        x = x - x.mean(0)
        squares = (x * x).sum(-1)
        squares = torch.addmm(squares[:, None] + squares, x, x.T, alpha=-2).clamp(min=0)
        return squares.fill_diagonal_(float("inf")).amin(-1)
