# expect: disqualified integrity
# problem: slow_chain
# One buffer for all results: an earlier result changes when the next is computed.
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
        if self.y is None or self.y.shape != x.shape:
            self.y = torch.empty(x.shape)
        self.y.copy_(work(x))
        return self.y
