# expect: disqualified integrity
# problem: linear_tail
# evidence: shares memory with linear.weight
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, scale):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        return self.linear.weight[: x.shape[0]]
