# expect: disqualified integrity
# problem: slow_chain
# One buffer, in which each result begins a little later than the one before.
import torch
import torch.nn as nn
import torch.nn.functional as F


def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.buffer, self.first = torch.empty(0), 0

    def forward(self, x):
        if len(self.buffer) != x.numel() + 1024:
            self.buffer = torch.empty(x.numel() + 1024)
        self.first = (self.first + 16) % 1024
        return self.buffer[self.first:self.first + x.numel()].view(x.shape).copy_(work(x))
