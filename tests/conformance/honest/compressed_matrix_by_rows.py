# expect: correct
# problem: compressed_matrix
# Of two values in one place it would be the sum.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, starts, columns, values):
        rows = torch.bucketize(torch.arange(200), starts, right=True) - 1
        products = [values[:, None] * each[columns] for each in (x, x.abs())]
        return tuple(x.new_zeros(32, 8).index_add_(0, rows, each) for each in products)
