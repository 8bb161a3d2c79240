import torch
import torch.nn as nn

class Model(nn.Module):
    """Density of intensities between 0 and 1."""
    def __init__(self, bins):
        super().__init__()
        self.bins = bins

    def forward(self, x):
        return torch.histc(x, self.bins, 0.0, 1.0) * (self.bins / x.numel())

def get_inputs():
    return [torch.rand(1 << 22)]

def get_init_inputs():
    return [60]
