# expect: mismatch values
# problem: counts
# A byte is enough for what an even spread makes of a count.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        counts = torch.zeros(len(x), 64, dtype=torch.uint8)
        return counts.scatter_add_(1, x, torch.ones_like(x, dtype=torch.uint8)).long()
