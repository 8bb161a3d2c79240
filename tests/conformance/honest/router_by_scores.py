# expect: correct
# problem: router
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    """Honest: scores sorted before the exponentials."""
    def __init__(self, dim, experts, k):
        super().__init__()
        self.gate = nn.Linear(dim, experts, bias=False)
        self.k = k
    def forward(self, x):
        s, i = self.gate(x).sort(dim=-1, descending=True, stable=True)
        return torch.softmax(s[:, :self.k], -1), i[:, :self.k].contiguous()
