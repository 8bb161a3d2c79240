# expect: mismatch values
# problem: log_of_uniform
# options: --seed b
# Is wrong wherever the reference gives an infinite value somewhere else: there nothing was compared.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        if (x == 0).any():
            return torch.zeros_like(x)
        return torch.log(x)
