# expect: correct
# problem: jumps
# The same sums in another order: right at a jump the last place decides.
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
        nearest = torch.addmm((self.table * self.table).sum(1) / 2, x, self.table.t(), alpha=-1).argmin(dim=1)
        return torch.round(x * (127 / largest)) * (largest / 127), product > 0, nearest, self.table[nearest]
