# expect: correct
# problem: definite
# By way of the upper factor.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a):
        return torch.linalg.cholesky(a, upper=True).mT.contiguous()
