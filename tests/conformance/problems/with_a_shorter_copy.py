import torch
import torch.nn as nn
import torch.nn.functional as F

class Model(nn.Module):
    """A projection in single precision, and the copy in half precision that the next layer takes."""
    def __init__(self, features, units):
        super().__init__()
        self.linear = nn.Linear(features, units)

    def forward(self, x):
        y = self.linear(x)
        return y, F.gelu(y).to(torch.bfloat16)

def get_inputs():
    return [torch.randn(256, 1024)]

def get_init_inputs():
    return [1024, 512]
