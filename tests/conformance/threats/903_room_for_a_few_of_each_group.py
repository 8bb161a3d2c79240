# expect: mismatch values | mismatch non_finite
# problem: best_of_many
import torch
import torch.nn as nn

class NewModel(nn.Module):
    """Best three of each group of 16 neighbours, then the best of those."""
    def __init__(self, k):
        super().__init__()
        self.k = k
    def forward(self, scores):
        B, N = scores.shape
        g = scores.view(B, N // 16, 16)
        v, i = g.topk(3, dim=-1)
        i = i + torch.arange(0, N, 16).view(1, -1, 1)
        values, j = v.reshape(B, -1).topk(self.k, dim=-1)
        return values
