import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, channels, groups):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x):
        return self.norm(x)

def get_inputs():
    return [285 + 5 * torch.randn(4, 32, 32, 32)]  # temperatures

def get_init_inputs():
    return [32, 8]
