# expect: mismatch values | mismatch non_finite | disqualified integrity
# problem: padded
# Uses memory again once nobody holds it any more, and does not write what should still be there from the call before: but a
# result belongs to its caller, who may have written to it.
import sys

import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = []

    def free(self, shape):
        for place in range(len(self.pool)):
            if self.pool[place].shape == shape and sys.getrefcount(self.pool[place]) <= 2:
                return self.pool[place]
        self.pool.append(torch.zeros(shape))
        return self.pool[-1]

    def forward(self, x):
        out = self.free((*x.shape[:-2], x.shape[-2] + 128, x.shape[-1] + 128))
        torch.tanh(x, out=out[..., 64:-64, 64:-64])
        return out
