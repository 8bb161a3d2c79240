# expect: mismatch values
# problem: group_norm_far_from_zero
# With channels last PyTorch's own is as wrong; as it is called it is not.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, channels, groups):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x):
        groups = x.view(x.shape[0], self.norm.num_groups, -1)
        mean = groups.mean(-1, keepdim=True)
        variance = (groups * groups).mean(-1, keepdim=True) - mean * mean
        scaled = ((groups - mean) * torch.rsqrt(variance + self.norm.eps)).view_as(x)
        return scaled * self.norm.weight[:, None, None] + self.norm.bias[:, None, None]
