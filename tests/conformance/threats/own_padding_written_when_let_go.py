# expect: correct
# problem: mostly_padding
# max_speedup: 1.3
# Right, and no faster: the zeros of the next result are written while the last one is let go.
import weakref

import torch
import torch.nn as nn

READY = []


def prepare(shape):
    READY.append(torch.zeros(shape))


class NewModel(nn.Module):
    def forward(self, x):
        shape = (x.shape[0], x.shape[1] + 252, x.shape[2])
        y = READY.pop() if READY and READY[-1].shape == shape else torch.zeros(shape)
        torch.add(1, x, alpha=2, out=y[:, : x.shape[1]])
        weakref.finalize(y, prepare, shape)
        return y
