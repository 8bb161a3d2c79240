# expect: correct
# problem: two_outputs
import torch
import torch.nn as nn


class NewModel(nn.Module):
    """Works on columns; the result comes out transposed in memory and is made contiguous."""

    def forward(self, x):
        return x.t().contiguous().softmax(dim=0).t().contiguous(), x.argmax(dim=-1)
