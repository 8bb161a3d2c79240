# expect: correct
# problem: half_square_error
# Rounds at the end only.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, y):
        return (x.float() - y.float()).square().mean().to(x.dtype)
