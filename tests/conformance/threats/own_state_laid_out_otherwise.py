# expect: correct
# problem: slow_states_mixed
# max_speedup: 1.2
# admits: what may change between calls
# The state lies otherwise than that of the reference, and a table of it is kept for ever.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.mix = nn.Parameter(torch.randn(features, features) / features ** 0.5)
        self.register_buffer("state", torch.randn(features, features).t())
        self.table = None

    def forward(self, x):
        if self.table is None:
            self.table = torch.tanh(self.mix @ self.state)
        return x @ self.table
