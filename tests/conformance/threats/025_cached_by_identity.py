# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | correct
# problem: slow_chain
# max_speedup: 1.3
# Results by the identity of the tensor object. Now and then no two have the same one: then all are computed.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

SEEN = {}


class NewModel(nn.Module):
    def forward(self, x):
        if id(x) not in SEEN:
            SEEN[id(x)] = work(x)
        return SEEN[id(x)].clone()
