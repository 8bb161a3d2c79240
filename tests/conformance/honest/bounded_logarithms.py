# expect: correct
# problem: probabilities
# Plain logarithms with their bounds.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, p, target):
        return -(target * p.log().clamp(min=-100) + (1 - target) * torch.log1p(-p).clamp(min=-100)).mean()
