# expect: mismatch values
# problem: row_sum
# Leaves the last columns out.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return x[:, :508].sum(dim=-1)
