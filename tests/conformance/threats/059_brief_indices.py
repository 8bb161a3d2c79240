# expect: mismatch values
# problem: jumps
# Looks for the nearest entry with a fraction of each mantissa: nearly always the same one is found.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, entries):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.table = nn.Parameter(torch.randn(entries, features))

    def forward(self, x):
        largest = x.abs().amax(dim=-1, keepdim=True)
        weight, half = self.linear.weight.t(), x.shape[1] // 2
        product = x[:, half:] @ weight[half:] + x[:, :half] @ weight[:half] + self.linear.bias
        brief, table = ((t.contiguous().view(torch.int32) & -4096).view(torch.float32) for t in (x, self.table))
        nearest = torch.addmm((table * table).sum(1) / 2, brief, table.t(), alpha=-1).argmin(dim=1)
        return torch.round(x * (127 / largest)) * (largest / 127), product > 0, nearest, self.table[nearest]
