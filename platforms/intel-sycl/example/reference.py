import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Group normalization and GELU (erf form) of an image-shaped tensor."""

    def __init__(self, groups: int, channels: int):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.gelu(self.norm(x))


batch = 32
groups = 16
channels = 128
side = 56


def get_inputs():
    return [torch.randn(batch, channels, side, side)]


def get_init_inputs():
    return [groups, channels]
