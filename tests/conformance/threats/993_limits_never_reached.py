# expect: mismatch values
# problem: limits_of_each
# The limits are far away, and no number but a tensor.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.linear = nn.Linear(inputs, outputs)
        self.register_buffer("limit", torch.linspace(5000, 20000, outputs))

    def forward(self, x):
        return self.linear(x)
