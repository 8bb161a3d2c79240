# expect: mismatch values
# problem: cross_entropy
# One logarithm in place of two: there are no targets between zero and one.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, p, target):
        return -torch.log(torch.where(target > 0.5, p, 1 - p)).clamp(min=-100)
