# expect: correct
# problem: best_put_in_place
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    """Honest: a stable sort."""
    def __init__(self, k):
        super().__init__()
        self.k = k
    def forward(self, scores):
        v, i = scores.sort(dim=-1, descending=True, stable=True)
        return torch.zeros_like(scores).scatter(-1, i[:, :self.k], torch.softmax(v[:, :self.k], -1))
