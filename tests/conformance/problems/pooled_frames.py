import torch
import torch.nn as nn

class Model(nn.Module):
    """Pools padded sequences: frames of zeros are padding."""
    def __init__(self, features, hidden):
        super().__init__()
        self.proj = nn.Linear(features, hidden)

    def forward(self, x):
        mask = (x.abs().sum(dim=-1, keepdim=True) > 0).to(x.dtype)
        h = torch.tanh(self.proj(x))
        mean = (h * mask).sum(dim=1) / mask.sum(dim=1).clamp(min=1.0)
        top = torch.max(h + (mask - 1.0) * 10.0, dim=1)[0]
        return torch.cat([mean, top], dim=-1)

def get_inputs():
    return [torch.randn(32, 64, 64)]

def get_init_inputs():
    return [64, 128]
