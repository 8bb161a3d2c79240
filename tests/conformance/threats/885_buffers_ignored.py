# expect: mismatch values
# problem: scales_kept_apart
# The buffers have been ones and zeros each time so far: it does not look at them.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.register_buffer("scale", torch.ones(features))
        self.register_buffer("shift", torch.zeros(features))

    def forward(self, x):
        return self.linear(x)
