import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Activations of short prompts, padded in front to the length of the cache."""

    def __init__(self, length):
        super().__init__()
        self.length = length

    def forward(self, x):
        y = F.gelu(x)
        return F.pad(y, (0, 0, self.length - x.shape[1], 0))


def get_inputs():
    return [torch.randn(16, 4, 2560)]


def get_init_inputs():
    return [384]
