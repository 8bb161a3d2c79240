import torch
import torch.nn as nn

class Model(nn.Module):
    """Order of the scores of each query."""
    def forward(self, scores):
        return torch.argsort(scores, dim=-1, stable=True)

def get_inputs():
    return [torch.rand(8, 16384)]

def get_init_inputs():
    return []
