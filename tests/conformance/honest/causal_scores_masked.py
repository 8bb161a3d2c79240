# expect: correct
# problem: causal_scores
"""The mask is added, as a table of zeros and infinities."""
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.empty(1))

    def forward(self, q, k):
        mask = torch.full((q.shape[-2], k.shape[-2]), -torch.inf).triu(1)
        return torch.baddbmm(mask, q * self.scale, k.mT)
