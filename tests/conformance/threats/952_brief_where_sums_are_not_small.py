# expect: mismatch values
# problem: divided_by_sums
# Eleven bits, but for a few rows: next to the values of one whose sum nearly cancels out the others are small.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        sums = x.sum(-1, keepdim=True)
        result = x / sums
        brief = (result.view(torch.int32) + 0x1000).bitwise_and_(~0x1FFF).view(torch.float32)
        return torch.where(sums.abs() < 1, result, brief)
