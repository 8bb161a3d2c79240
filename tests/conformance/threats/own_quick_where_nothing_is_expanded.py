# expect: correct
# problem: mask_for_all_heads
# max_speedup: 1.4
# Quicker than the reference on inputs that get_inputs() does not make.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, mask):
        if mask.is_contiguous():
            return torch.addcmul(a, a, mask).relu_().mul_(mask)
        return torch.relu(a * mask + a) * mask
