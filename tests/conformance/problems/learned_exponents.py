import torch
import torch.nn as nn
import torch.nn.functional as F

batch, features = 512, 64
class Model(nn.Module):
    """Box-Cox transform with a learned exponent per feature; zero means the logarithm."""
    def __init__(self, features):
        super().__init__()
        self.lam = nn.Parameter(torch.rand(features))
    def forward(self, x):
        lam = self.lam
        safe = torch.where(lam.abs() < 1e-6, torch.ones_like(lam), lam)
        return torch.where(lam.abs() < 1e-6, torch.log(x), (x.pow(safe) - 1) / safe)
def get_inputs():
    return [torch.rand(batch, features) + 0.5]
def get_init_inputs():
    return [features]
