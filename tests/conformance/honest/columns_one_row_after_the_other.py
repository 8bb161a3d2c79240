# expect: correct
# problem: column_sums
# NumPy adds rows to each other in turn.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        total = torch.from_numpy(x.numpy().sum(0))
        return total, total / x.shape[0]
