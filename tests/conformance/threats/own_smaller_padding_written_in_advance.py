# expect: correct | disqualified integrity
# problem: frames
# max_speedup: 1.2
# slow
# As own_padding_written_in_advance, but of all results except the largest.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.ready = [torch.zeros(64, 254, 256) for _ in range(250)]

    def frame(self, x, i):
        shape = (x.shape[0], 254, x.shape[2])
        y = self.ready.pop() if self.ready and self.ready[-1].shape == shape else torch.zeros(shape)
        torch.add(x[:, i:i + 2], i, out=y[:, :2])
        return y

    def forward(self, x):
        return 2 * x, *[self.frame(x, i) for i in range(4)]
