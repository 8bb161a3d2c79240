# expect: mismatch values
# problem: triangular_product
# Factors that are small are taken for nothing: next to the usual results what they add is.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        return torch.triu(torch.matmul(a.where(a.abs() > 1e-4, 0), b))
