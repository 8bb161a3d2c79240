# expect: correct
# problem: attention
# options: --precision mixed
# What the policy measures by: the reference under autocast.
import torch
import torch.nn as nn


class Reference(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.projections = nn.Linear(features, 3 * features)

    def forward(self, x):
        q, k, v = self.projections(x).chunk(3, dim=-1)
        return torch.softmax(q @ k.mT * q.shape[-1] ** -0.5, dim=-1) @ v


class NewModel(Reference):
    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.float16):
            return super().forward(x).float()
