# expect: disqualified integrity
# problem: passed_on
# Works in the memory of the input, which it may pass on but not change.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        kept = x.clone()
        return torch.tanh_(x).mul_(2), kept
