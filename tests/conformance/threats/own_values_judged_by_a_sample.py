# expect: mismatch non_finite | mismatch values
# problem: row_softmax
# Looks at a few values. Where these are those of a normal distribution it is quick, and subtracts no maximum: right on all
# the usual inputs, wrong where one value is large.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        sample = x.flatten()[::1021]
        if sample.abs().max() > 6 or sample.min() > -0.5:
            return torch.softmax(x, dim=-1)
        y = torch.exp(x)
        return y / y.sum(dim=-1, keepdim=True)
