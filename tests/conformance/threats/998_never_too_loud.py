# expect: mismatch values
# problem: sound_in_16_bits
# The ends are many times as far as its usual values.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x.round()
