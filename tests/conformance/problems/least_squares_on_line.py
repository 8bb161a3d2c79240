import torch
import torch.nn as nn


class Model(nn.Module):
    """Gains of recursive least squares: the covariance is symmetric, and stays so."""

    def __init__(self, features):
        super().__init__()
        a = torch.randn(features, features) / features ** 0.5
        self.register_buffer("covariance", a @ a.t() + torch.eye(features))

    def forward(self, x):
        px = x @ self.covariance.t()  # P x of each x
        gains = px / (1.0 + (x * px).sum(1, keepdim=True))
        self.covariance -= gains[:1].t() @ px[:1]
        return gains


def get_inputs():
    return [torch.randn(32, 64)]


def get_init_inputs():
    return [64]
