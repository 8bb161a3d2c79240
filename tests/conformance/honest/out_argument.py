# expect: correct
# problem: row_sum
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[:-1])
        torch.sum(x, dim=-1, out=y)
        return y
