# expect: mismatch values
# problem: moving_mean
# The state that it returns is the one that was there before the call.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.register_buffer("mean", torch.zeros(64, features))

    def forward(self, x):
        return torch.tanh(self.linear(x)), self.mean.clone()
