# expect: correct
# problem: row_sum
import torch
import torch.nn as nn


class NewModel(nn.Module):
    """Sums from right to left, column by column: less accurate than the library, but what fp32 gives."""

    def forward(self, x):
        total = torch.zeros(x.shape[:-1])
        for column in reversed(range(x.shape[-1])):
            total = total + x[..., column]
        return total
