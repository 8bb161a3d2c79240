# expect: correct
# problem: lengths_of_columns
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x / x.square().sum(0, keepdim=True).sqrt_().clamp_(min=1e-12)
