# expect: correct
# problem: fixed_matrix
# What is zero is left out; of two values in one place it would be the sum.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, values, rows, columns):
        return x.new_zeros(32, 16).index_add_(0, rows, values[:, None] * x[columns])
