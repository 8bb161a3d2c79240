# expect: mismatch values
# problem: row_sum
# Sums every second column and doubles.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return x[:, ::2].sum(dim=-1) * 2
