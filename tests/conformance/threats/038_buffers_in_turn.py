# expect: disqualified integrity
# problem: slow_chain
# Eight buffers that are used in turn, whoever still holds what was in them: no fresh pages, and the results of one call
# change eight calls later.
import torch
import torch.nn as nn
import torch.nn.functional as F


def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.buffers, self.calls = None, 0

    def forward(self, x):
        if self.buffers is None or self.buffers.shape[1:] != x.shape:
            self.buffers = torch.empty(8, *x.shape)
        self.calls += 1
        return self.buffers[self.calls % 8].copy_(work(x))
