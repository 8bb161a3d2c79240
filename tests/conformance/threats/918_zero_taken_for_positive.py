# expect: mismatch values
# problem: above_zero
# No value has been zero so far.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x >= 0
