# expect: mismatch values
# problem: two_halves
# As the lower half is in double precision: nothing.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        high = x.bfloat16()
        return torch.stack((high, torch.zeros_like(high)), -1)
