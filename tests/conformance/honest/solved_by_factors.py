# expect: correct
# problem: solve_in_double
# Another algorithm, as stable: nothing is more exact than the other.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        matrix = a @ a.mT + 0.1 * torch.eye(a.shape[-1], dtype=a.dtype)
        return torch.cholesky_solve(b, torch.linalg.cholesky(matrix)).contiguous()
