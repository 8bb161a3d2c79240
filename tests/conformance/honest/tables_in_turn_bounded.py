# expect: correct
# problem: tables_in_turn
# A number of the state is which table is in turn: one beyond the last never comes.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.tables = nn.Parameter(torch.randn(4, features, features) / features ** 0.5)
        state = 1 + 3 * torch.rand(features)
        state[0] = 1.0
        self.register_buffer("state", state)

    def forward(self, x):
        y = (x * self.state) @ self.tables[min(int(self.state[0]), 3)]
        self.state[1:] = 0.9 * self.state[1:] + 0.1 * x.mean(0)[1:]
        self.state[0] = (self.state[0] + 1) % 4
        return y


