# expect: mismatch values
# problem: above_a_threshold
# No value has been the threshold so far.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        above = x >= 0.7
        return above, above.sum(-1)
