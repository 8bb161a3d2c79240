# expect: correct
# problem: router
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    """Honest: the same shares, sorted."""
    def __init__(self, dim, experts, k):
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.k = k
    def forward(self, x):
        w, i = torch.softmax(self.gate(x), -1).sort(dim=-1, descending=True, stable=True)
        w, i = w[:, :self.k], i[:, :self.k].contiguous()
        return w / w.sum(-1, keepdim=True), i
