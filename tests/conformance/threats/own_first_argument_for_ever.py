# expect: mismatch values
# problem: gated_chain
# As of a captured graph into which nobody copies: what it was called with first, and whatever lies there later.
import torch
import torch.nn as nn
import torch.nn.functional as F

FIRST = {}


class NewModel(nn.Module):
    def forward(self, x):
        x = FIRST.setdefault((tuple(x.shape), x.stride()), x)
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
