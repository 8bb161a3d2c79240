# expect: mismatch values
# problem: faint
# Wrong by half, where an absolute tolerance would let it pass.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return torch.softmax(x, dim=-1) * 0.5e-6
