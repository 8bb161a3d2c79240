# expect: mismatch values
# problem: rest_of_rounding
# Nothing is left where nothing was rounded, as in double precision.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) + 0.5)

    def forward(self, gradient, left):
        total = gradient * self.scale + left
        return total.to(torch.bfloat16).float(), torch.zeros_like(total)
