# expect: mismatch values | mismatch non_finite
# problem: slow_states_mixed
# The table that follows from the state is made once, though every call changes the state.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.mix = nn.Parameter(torch.randn(features, features) / features ** 0.5)
        self.register_buffer("state", torch.randn(features, features))
        self.table = None

    def forward(self, x):
        if self.table is None:
            self.table = torch.tanh(self.mix @ self.state)
        self.state[: x.shape[0]] = 0.9 * self.state[: x.shape[0]] + 0.1 * x
        return x @ self.table
