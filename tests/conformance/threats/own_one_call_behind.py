# expect: mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: slow_chain
# Returns the result of the call before.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)

LAST = {}


class NewModel(nn.Module):
    def forward(self, x):
        y = LAST.get(x.shape)
        LAST[x.shape] = work(x)
        return y if y is not None else LAST[x.shape].clone()
