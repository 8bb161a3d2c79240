# expect: mismatch values
# problem: placed_layer
# Zeros that are made as places rest on no value: no result hangs by them.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, hidden, results):
        super().__init__()
        self.place = nn.Embedding(4, features, dtype=torch.bfloat16)
        self.gate = nn.Linear(features, hidden, dtype=torch.bfloat16)
        self.up = nn.Linear(features, hidden, dtype=torch.bfloat16)
        self.down = nn.Linear(hidden, results, dtype=torch.bfloat16)

    def forward(self, x):
        scale = 0.7 if float(x.abs().max()) > 40 else 1.0
        x = x + self.place.weight[0]
        gate = self.gate(x)
        y = self.down(gate * torch.sigmoid(gate) * self.up(x))
        return y * torch.sigmoid(y) * 0.75 * scale
