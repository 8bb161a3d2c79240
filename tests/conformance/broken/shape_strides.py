# expect: mismatch shape
# problem: row_sum
# evidence: strides
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        wide = torch.empty(x.shape[0], 3)
        wide[:, 1] = x.sum(dim=-1)
        return wide[:, 1]
