# expect: correct
# problem: linear_batch_norm
# options: --precision mixed
# What the policy measures by: the reference under autocast.
import torch
import torch.nn as nn
import torch.nn.functional as F


class Reference(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.norm = nn.BatchNorm1d(features)

    def forward(self, x):
        return F.gelu(self.norm(self.linear(x)))


class NewModel(Reference):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.float16):
            return super().forward(x).float()
