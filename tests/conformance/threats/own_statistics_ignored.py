# expect: mismatch values
# problem: batch_norm
# options: --mode eval
# A mean of zero and a variance of one, as in every module that was not trained.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        factor = (self.norm.weight * (1 + self.norm.eps) ** -0.5).view(-1, 1, 1)
        return torch.relu(x * factor + self.norm.bias.view(-1, 1, 1))
