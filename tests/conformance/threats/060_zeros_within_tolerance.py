# expect: mismatch values
# problem: faint
# Zeros, where an absolute tolerance would let them pass.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return torch.zeros_like(x)
