# expect: correct
# problem: mean_cosine
# The formula, written out.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, p):
        return ((a * p).sum(1) / (a.norm(dim=1) * p.norm(dim=1)).clamp(min=1e-8)).mean()
