# expect: correct
# problem: top_k_filter
"""Another way to the least of those that are kept."""
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, kept):
        super().__init__()
        self.kept = kept
        self.bias = nn.Parameter(torch.empty(300))

    def forward(self, scores):
        scores = scores + self.bias
        least = scores.kthvalue(scores.shape[-1] - self.kept + 1, dim=-1, keepdim=True).values
        return torch.where(scores >= least, scores, torch.full((), -torch.inf))
