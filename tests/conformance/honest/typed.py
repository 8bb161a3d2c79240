# expect: correct
from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import torch
import torch.nn as nn
import torch.nn.functional as F

EPS: Final[float] = 1e-5


@dataclass(frozen=True)
class Shape:
    rows: int
    cols: int

    @classmethod
    def of(cls, x: torch.Tensor) -> Shape:
        return cls(x.numel() // x.shape[-1], x.shape[-1])


class NewModel(nn.Module):
    norm: nn.LayerNorm

    def __init__(self, features: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(features, eps=EPS)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shape = Shape.of(x)
        return F.gelu(self.norm(x.reshape(shape.rows, shape.cols))).view(x.shape)
