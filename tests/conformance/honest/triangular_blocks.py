# expect: correct
# problem: triangular_product
# Leaves out the blocks that are zero in every triangular matrix.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        result = torch.zeros_like(a)
        for first in range(0, len(a), 64):
            result[first:first + 64, first:] = a[first:first + 64, first:] @ b[first:, first:]
        return torch.triu(result)
