# expect: mismatch values
# problem: mean_square
# Begins with the second element.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, p, t):
        d = p.flatten()[1:] - t.flatten()[1:]
        return d.dot(d) / p.numel()
