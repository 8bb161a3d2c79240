# expect: mismatch values
# problem: fixed_point
# What lies in the middle between two is exact: no order of a sum decides where it goes.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return torch.floor(x + 0.5).clamp(-128, 127)
