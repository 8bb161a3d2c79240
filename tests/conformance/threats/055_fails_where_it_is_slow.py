# expect: runtime_error exception | disqualified integrity
# problem: slow_chain
# Raises in calls that would spoil its mean.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

CALLS = []


class NewModel(nn.Module):
    def forward(self, x):
        CALLS.append(1)
        if len(CALLS) % 5 == 0 and len(CALLS) > 14:
            raise RuntimeError("not in the mood")
        return work(x)
