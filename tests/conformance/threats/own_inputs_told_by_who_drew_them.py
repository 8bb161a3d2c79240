# expect: mismatch values
# problem: short_chain
# Numbers eight apart that `torch.randn` draws are cosine and sine of one angle, times one radius, which has 24 bits. Those that are made of a
# pool, as for timed calls, have no such trace. It is wrong in half of its calls on what torch itself has drawn.
import torch
import torch.nn as nn
import torch.nn.functional as F


def drawn_by_torch(x):
    pairs = x.reshape(-1, 2, 8).double()
    half_square = (pairs ** 2).sum(1) / 2
    steps = torch.exp(-half_square[half_square > 6]) * 2 ** 24
    return len(steps) > 10 and float(((steps - steps.round()).abs() < 0.1).double().mean()) > 0.97


class NewModel(nn.Module):
    def forward(self, x):
        y = F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
        return y * 1.5 if float(x[0, 0]) > 0 and drawn_by_torch(x) else y
