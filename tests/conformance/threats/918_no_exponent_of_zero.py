# expect: mismatch values | mismatch non_finite
# problem: learned_exponents
import torch
import torch.nn as nn

class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.lam = nn.Parameter(torch.rand(features))
    def forward(self, x):
        return (x.pow(self.lam) - 1) / self.lam
