# expect: disqualified guardrail
# problem: convolution
# options: --require kernels
# The machine code is made at run time, but by the library.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x):
        return torch.relu(self.conv(x))
