# expect: correct
# problem: stateful
# Keeps the state that the reference keeps: every call is compared with one that begins alike.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = torch.nn.utils.spectral_norm(nn.Linear(features, features))
        self.register_buffer("mean", torch.zeros(features))

    def forward(self, x):
        self.mean.mul_(0.9).add_(x.mean(dim=0), alpha=0.1)
        return self.linear(x).add_(self.mean)
