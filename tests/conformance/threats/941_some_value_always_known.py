# expect: mismatch non_finite
# problem: marked_values
# Something has been known of each row so far.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        known = x != -1.0
        return (x * known).sum(-1) / known.sum(-1)
