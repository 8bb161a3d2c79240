# expect: correct
# problem: seeded_definite
# Positive definite they are all the same.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        return torch.cholesky_solve(b, torch.linalg.cholesky(a))
