# expect: disqualified integrity | mismatch values
# problem: row_sum
# Zeroes the inputs, so that everybody computes zero.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        x.zero_()
        return torch.zeros(x.shape[:-1])
