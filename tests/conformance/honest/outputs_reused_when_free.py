# expect: correct
# problem: slow_chain
# Keeps the memory of its results, and uses it again only when nobody else holds them.
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

POOL = []
FREE = 3  # references: the list's, the loop's and the question's


def take(shape):
    for tensor in POOL:
        if tensor.shape == shape and sys.getrefcount(tensor) <= FREE:
            return tensor
    POOL.append(torch.empty(shape))
    return POOL[-1]


class NewModel(nn.Module):
    def forward(self, x):
        y = take(x.shape)
        y.copy_(F.gelu(x) * torch.sigmoid(x) + torch.tanh(x))
        return y
