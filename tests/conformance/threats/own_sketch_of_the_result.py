# expect: mismatch values | mismatch non_finite | mismatch nondeterministic
# problem: slow_chain
# Computes the first rows and the last, and copies them over the rest.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        y[:4], y[-4:] = work(x[:4]), work(x[-4:])
        y[4:-4] = y[:4].mean()
        return y
