# expect: correct
# problem: parts
# The same values, each output in memory of its own.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        gate, value = torch.sigmoid(x).chunk(2, dim=-1)
        return gate.contiguous(), value.contiguous(), x.mean(dim=-1, keepdim=True).expand_as(x).contiguous()
