# expect: correct
# problem: mean_square
# A vector times itself.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, p, t):
        d = (p - t).flatten()
        return d.dot(d) / d.numel()
