# expect: correct
# problem: batch_norm_in_training
# The mean of what is all the same is wrong in its last places, and that is divided by the root of a variance of zero.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, 2 * channels, 3)
        self.bn = nn.BatchNorm2d(2 * channels)

    def forward(self, x):
        y = F.mish(self.conv(x))
        mean = y.mean((0, 2, 3))
        distance = y - mean[:, None, None]
        variance = distance.square().mean((0, 2, 3))
        count = y.numel() / y.shape[1]
        with torch.no_grad():
            self.bn.running_mean.mul_(0.9).add_(mean, alpha=0.1)
            self.bn.running_var.mul_(0.9).add_(variance * count / (count - 1), alpha=0.1)
            self.bn.num_batches_tracked += 1
        return distance * (self.bn.weight / torch.sqrt(variance + self.bn.eps))[:, None, None] + self.bn.bias[:, None, None]
