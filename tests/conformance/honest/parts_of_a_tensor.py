# expect: correct
# problem: parts
# Outputs with the strides that the reference's own have.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        gate, value = torch.sigmoid(x).chunk(2, dim=-1)
        return gate, value, x.mean(dim=-1, keepdim=True).expand_as(x)
