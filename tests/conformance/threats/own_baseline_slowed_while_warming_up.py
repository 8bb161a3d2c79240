# expect: disqualified integrity
# problem: slow_chain
# Leaves numbers in the inputs that are slow to compute with, in the calls that warm up only: how the baseline's threads are
# placed is decided by these.
import torch
import torch.nn as nn
import torch.nn.functional as F

CALLS = []


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        y = F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
        if 11 < len(CALLS) <= 16:
            x.fill_(1e-41)
        return y
