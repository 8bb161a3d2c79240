# expect: disqualified integrity
# evidence: has changed since
# problem: slow_chain
# Three buffers that take turns: a result is overwritten when three more have been asked for, whoever still holds it.
import torch
import torch.nn as nn
import torch.nn.functional as F

RINGS, CALLS = {}, []


class NewModel(nn.Module):
    def forward(self, x):
        if x.shape not in RINGS:
            RINGS[x.shape] = [torch.empty(x.shape) for _ in range(3)]
        CALLS.append(1)
        y = RINGS[x.shape][len(CALLS) % 3]
        y.copy_(F.gelu(x) * torch.sigmoid(x) + torch.tanh(x))
        return y
