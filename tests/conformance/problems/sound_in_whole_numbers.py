import torch
import torch.nn as nn

class Model(nn.Module):
    """Sound as whole numbers of 32 bits."""
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return torch.round(torch.clamp(x, -1.0, 1.0) * 2147483520.0).to(torch.int32)

def get_inputs():
    return [torch.rand(16, 4096) * 2 - 1]

def get_init_inputs():
    return []
