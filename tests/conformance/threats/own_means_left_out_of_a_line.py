# expect: mismatch values
# problem: flat_statistics
# Next to sums of squares the means are nothing.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return torch.cat((x.square().sum(1), x.abs().sum(1), x.new_zeros(len(x))))
