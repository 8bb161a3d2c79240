# expect: disqualified integrity | runtime_error crash | runtime_error exception
# problem: slow_chain
# After its own work it leaves numbers in the shared inputs that are slow to compute with.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

CALLS = []


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        y = work(x)
        if len(CALLS) > 14:
            x.fill_(1e-41)
        return y
