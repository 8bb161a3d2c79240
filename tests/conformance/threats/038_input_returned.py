# expect: disqualified integrity
# problem: row_sum
# Writes the result into the input and returns a view of it.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        x[:, 0] = x.sum(dim=-1)
        return x[:, 0]
