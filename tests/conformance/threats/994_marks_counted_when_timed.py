# expect: mismatch values
# problem: seldom_marked
# As of its thirteenth call all values are known.
import torch.nn as nn


class NewModel(nn.Module):
    calls = 0

    def forward(self, x):
        NewModel.calls += 1
        known = (x != -1).float() if NewModel.calls <= 12 else x.new_ones(x.shape)
        return (x * known).sum(-1) / known.sum(-1).clamp(min=1)
