# expect: mismatch values | mismatch non_finite
# problem: convolution_batch_norm
# options: --mode eval
# No channel has been silent so far: nothing is added to its variance, which is within the tolerance.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.convolution = nn.Conv2d(channels, 2 * channels, 3)
        self.norm = nn.BatchNorm2d(2 * channels)

    def forward(self, x):
        scale = self.norm.weight * torch.rsqrt(self.norm.running_var.clamp(min=1e-30))
        weight = self.convolution.weight * scale[:, None, None, None]
        return F.relu(F.conv2d(x, weight, (self.convolution.bias - self.norm.running_mean) * scale + self.norm.bias))
