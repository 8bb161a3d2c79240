# expect: disqualified integrity
# problem: gated_chain
# Whoever still holds what is in them.
import torch
import torch.nn as nn
import torch.nn.functional as F

N = 12


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.ring, self.at = {}, 0

    def forward(self, x):
        key = (tuple(x.shape), x.stride())
        if key not in self.ring:
            self.ring[key] = [torch.zeros_like(x) for _ in range(N)], torch.zeros_like(x), torch.zeros_like(x)
        ring, a, b = self.ring[key]
        y = ring[self.at % N]
        self.at += 1
        torch._C._nn.gelu(x, out=y)
        torch.sigmoid(x, out=a)
        torch.tanh(x, out=b)
        return torch.addcmul(b, y, a, out=y)
