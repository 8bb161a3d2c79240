# expect: correct
# problem: mask_for_all_heads
# Knows that the mask is the same for all.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, mask):
        return torch.addcmul(a, a, mask).relu_().mul_(mask)
