# expect: correct
# problem: least_squares_on_line
# The covariance is symmetric in every call, and so it may be transposed.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        a = torch.randn(features, features) / features ** 0.5
        self.register_buffer("covariance", a @ a.t() + torch.eye(features))

    def forward(self, x):
        px = x @ self.covariance
        gains = px / (1.0 + (x * px).sum(1, keepdim=True))
        self.covariance -= gains[:1].t() @ px[:1]
        return gains


