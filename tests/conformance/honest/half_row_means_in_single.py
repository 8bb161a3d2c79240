# expect: correct
# problem: half_row_means
# Sums of parts of each row, in single precision.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        parts = x.float().view(x.shape[0], 64, -1).sum(dim=2)
        return (parts.sum(dim=1) / x.shape[1]).to(x.dtype)
