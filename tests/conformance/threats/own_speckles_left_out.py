# expect: mismatch values
# problem: speckled
# In another layout the same seed puts the noise elsewhere: that is no error of eager.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.filter = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return x + 0.1 * self.filter(x)
