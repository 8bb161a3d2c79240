# expect: correct
# problem: counted_above
# Counts in whole numbers, part by part.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return sum(torch.count_nonzero(part > 0.25, dim=-1) for part in x.split(1 << 16, dim=-1)).float()
