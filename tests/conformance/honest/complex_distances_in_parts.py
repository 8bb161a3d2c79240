# expect: correct
# problem: complex_distances
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        a, b = torch.view_as_real(a).flatten(-2), torch.view_as_real(b).flatten(-2)
        return torch.linalg.vector_norm(a[:, None] - b[None], dim=-1)
