# expect: mismatch values
# problem: definite
# A few steps from the identity: the matrices have been near it so far.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a):
        # L = I + low(E) where E is small, improved three times.
        l = torch.eye(a.shape[-1]).expand_as(a)
        for _ in range(4):
            inv = torch.linalg.solve_triangular(l, a, upper=False)
            m = torch.linalg.solve_triangular(l, inv.mT, upper=False)
            phi = m.tril(-1) + torch.diag_embed((m.diagonal(dim1=-2, dim2=-1) + 1) / 2)
            l = l @ phi
        return l
