# expect: mismatch non_finite
# problem: probabilities
# Bounds one of the two logarithms only.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, p, target):
        return -(target * p.log().clamp(min=-100) + (1 - target) * torch.log1p(-p)).mean()
