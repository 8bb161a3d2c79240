"""Rows times the place of their largest value, row by row by vmap, in which nothing can be drawn."""

import torch
import torch.nn as nn
class Model(nn.Module):
    def forward(self, x):
        best = torch.vmap(lambda row: row * row.argmax())(x)
        return best, x.softmax(-1).argmax(-1)
def get_inputs():
    return [torch.randn(64, 128)]
def get_init_inputs():
    return []
