# expect: mismatch values
# problem: faint
# The mean of what is expected.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return torch.full_like(x, 1e-6 / 128)
