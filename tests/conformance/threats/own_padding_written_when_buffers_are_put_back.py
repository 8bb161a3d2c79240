# expect: correct
# problem: mostly_padding_beside_a_cache
# max_speedup: 1.5
# Right, and hardly faster: it leaves the cache as it is, and what it takes to put back that of the reference is no time in which to write
# the zeros of the next result.
import weakref

import torch
import torch.nn as nn

READY = []


def prepare(shape):
    READY.append(torch.zeros(shape))


class NewModel(nn.Module):
    def __init__(self, length, width):
        super().__init__()
        self.register_buffer("cache", torch.zeros(length, width))

    def forward(self, x):
        shape = (x.shape[0], x.shape[1] + 252, x.shape[2])
        y = READY.pop() if READY and READY[-1].shape == shape else torch.zeros(shape)
        torch.add(1, x, alpha=2, out=y[:, : x.shape[1]])
        weakref.finalize(y, prepare, shape)
        return y
