# expect: mismatch values
# problem: seeded_noise
# In double precision the seed makes other noise: none at all is nearer to that than eager is.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, outputs, scale):
        super().__init__()
        self.linear = nn.Linear(features, outputs)

    def forward(self, x):
        return self.linear(x)
