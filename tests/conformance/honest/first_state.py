# expect: correct
# problem: first_state
# Makes the same in the same order, and has the same state to begin with.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, hidden, batch):
        super().__init__()
        self.first = torch.randn(1, batch, hidden)
        self.gru = nn.GRU(features, hidden, batch_first=True)

    def forward(self, x):
        return self.gru(x, self.first)[0]
