# expect: correct
# problem: rotary
# Reads one half of the tables only: the other one is the same.
import torch
import torch.nn as nn


def turn(x, cos, sin):
    one, other = x.chunk(2, -1)
    return torch.cat((one * cos - other * sin, other * cos + one * sin), -1)


class NewModel(nn.Module):
    def forward(self, q, k, cos, sin):
        half = cos.shape[-1] // 2
        cos, sin = cos[:, None, :, :half], sin[:, None, :, :half]
        return turn(q, cos, sin), turn(k, cos, sin)
