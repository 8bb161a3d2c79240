# expect: correct
# problem: normalized_states
# What is left of each step in the end is known beforehand, from the last one backwards.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width, bias=False)
        self.gates = nn.Linear(width, 2 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x):
        new, gate = self.gates(self.norm(x)).chunk(2, -1)
        left = torch.sigmoid(-gate).flip(1).cumprod(1).flip(1)
        left = torch.cat((left[:, 1:], torch.ones_like(left[:, :1])), 1)
        return self.out((left * torch.sigmoid(gate) * new).sum(1))
