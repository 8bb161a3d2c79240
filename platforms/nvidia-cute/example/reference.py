import torch
import torch.nn as nn


class Model(nn.Module):
    """Adds a residual and normalizes each row to zero mean and unit variance."""

    def __init__(self, features: int):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x: torch.Tensor, residual: torch.Tensor) -> torch.Tensor:
        return self.norm(x + residual)


rows = 8192
features = 4096


def get_inputs():
    return [torch.randn(rows, features), torch.randn(rows, features)]


def get_init_inputs():
    return [features]
