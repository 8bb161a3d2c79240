# expect: correct
# problem: levels
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels

    def forward(self, x):
        return torch.sigmoid(x).mul_(self.levels).long().clamp_(max=self.levels - 1)
