# expect: disqualified integrity
# problem: slow_chain
# As before, but each time another view of the one buffer.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.y = None

    def forward(self, x):
        if self.y is None or self.y.shape[1:] != x.shape:
            self.y = torch.empty(2, *x.shape)
        self.y[0].copy_(work(x))
        return self.y[0].view(x.shape)
