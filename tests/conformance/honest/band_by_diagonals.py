# expect: correct
# problem: banded_product
# Nothing is multiplied but the band.
import torch
import torch.nn as nn

WIDTH = 4


class NewModel(nn.Module):
    def forward(self, matrix, x):
        size = len(matrix)
        result = torch.diagonal(matrix)[:, None] * x
        for k in range(1, WIDTH + 1):
            result[:size - k] += torch.diagonal(matrix, k)[:, None] * x[k:]
            result[k:] += torch.diagonal(matrix, -k)[:, None] * x[:size - k]
        return result
