# expect: correct
# problem: slow_chain
# Uses the memory of an earlier result again once nobody holds that any more, as an allocator does.
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F


def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = []

    def free(self, shape):
        for index in range(len(self.pool)):
            if self.pool[index].shape == shape and sys.getrefcount(self.pool[index]) <= 2:
                return self.pool[index]
        self.pool.append(torch.empty(shape))
        return self.pool[-1]

    def forward(self, x):
        return self.free(x.shape).copy_(work(x))
