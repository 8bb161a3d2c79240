# expect: correct
# problem: rest_of_rounding
# Rounded by hand: to the nearest, of two that are as near to the even one.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.rand(features) + 0.5)

    def forward(self, gradient, left):
        total = torch.addcmul(left, gradient, self.scale)
        bits = total.view(torch.int32)
        sent = ((bits + 0x7FFF + ((bits >> 16) & 1)) & -65536).view(torch.float32)
        return sent, total - sent
