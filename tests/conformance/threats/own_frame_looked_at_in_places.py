# expect: mismatch values | mismatch non_finite | disqualified integrity
# problem: padded
# As own_frame_kept_from_before, but writes all of it where one element in sixty-four shows that somebody has written there.
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
        if torch.isnan(out.view(-1)[::64]).any():
            out.zero_()
        torch.tanh(x, out=out[..., 64:-64, 64:-64])
        return out
