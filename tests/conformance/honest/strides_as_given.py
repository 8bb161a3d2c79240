# expect: correct
# problem: columns
# Made for the strides that the problem gives its inputs, whatever their values.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        if x.stride() != (1, x.shape[0]):
            raise ValueError("columns must be contiguous")
        return torch.softmax(x.t(), dim=1).t().contiguous()
