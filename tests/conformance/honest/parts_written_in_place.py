# expect: correct
# problem: points_and_scores
# No parts, but one tensor that both are written to; functions by exponentials.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.points = nn.Linear(features, 60)
        self.scores = nn.Sequential(nn.Linear(features, 2 * features), nn.Tanh(), nn.Linear(2 * features, 4))

    def forward(self, x):
        out = x.new_empty(len(x), 64)
        out[:, :60] = F.linear(x, 1920 * self.points.weight, 1920 * self.points.bias)
        hidden = 1 - 2 / (torch.exp(2 * self.scores[0](x)) + 1)
        out[:, 60:] = 1 / (1 + torch.exp(-self.scores[2](hidden)))
        return out
