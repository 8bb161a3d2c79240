# expect: mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: slow_chain
# Leaves out what is rare: large values are treated as if the function were linear there.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        y = F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
        return torch.where(x.abs() > 4.0, x.clamp(min=0), y)
