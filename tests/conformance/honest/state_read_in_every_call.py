# expect: correct
# problem: slow_states_mixed
# The state is read in every call.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.mix = nn.Parameter(torch.randn(features, features) / features ** 0.5)
        self.register_buffer("state", torch.randn(features, features))

    def forward(self, x):
        y = x @ torch.tanh(self.mix @ self.state)
        self.state[: x.shape[0]] = 0.9 * self.state[: x.shape[0]] + 0.1 * x
        return y
