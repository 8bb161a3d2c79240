# expect: correct
# problem: narrow_chain
# max_speedup: 1.2
# A copy of the reference. Where its threads are put, and those of the baseline, must not make the difference.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        for _ in range(40):
            x = torch.tanh(x) + 0.5 * torch.cos(x)
        return x
