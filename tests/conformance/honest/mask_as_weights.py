# expect: correct
# problem: masked_mean
# The mask becomes weights, in double precision.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, mask):
        m = mask.double()
        w = m / m.sum(1, keepdim=True).clamp(min=1)
        return torch.einsum("bt,btd->bd", w.float(), x)
