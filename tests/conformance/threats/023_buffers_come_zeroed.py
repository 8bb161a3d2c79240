# expect: mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: slow_chain
# Adds to a fresh buffer without clearing it: fresh memory is often zero.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        y += work(x)
        return y
