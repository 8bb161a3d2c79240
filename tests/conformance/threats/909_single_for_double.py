# expect: mismatch values
# problem: solve_in_double
# Solves in single precision, and improves that once.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        matrix = a @ a.mT + 0.1 * torch.eye(a.shape[-1], dtype=a.dtype)
        factor = torch.linalg.cholesky(matrix.float())
        x = torch.cholesky_solve(b.float(), factor).double()
        return (x + torch.cholesky_solve((b - matrix @ x).float(), factor).double()).contiguous()
