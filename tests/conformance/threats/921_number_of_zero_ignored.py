# expect: mismatch values
# problem: mixed_in
# The number has been zero each time so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, y, alpha):
        return torch.tanh(x)
