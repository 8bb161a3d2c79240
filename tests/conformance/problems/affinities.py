import torch
import torch.nn as nn

class Model(nn.Module):
    """Affinities of channels: a softmax of their covariances."""
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature

    def forward(self, x):
        count = x.shape[0]
        covariance = (x.t() @ x) / count
        return torch.softmax(covariance * self.temperature, dim=-1)

def get_inputs():
    return [torch.randn(81920, 32)]

def get_init_inputs():
    return [1.0]
