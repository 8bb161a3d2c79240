# expect: mismatch values
# problem: normalized_states
# The norm takes away what all features of a step have in common: only where they differ for long is a gate closed for long.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width, bias=False)
        self.gates = nn.Linear(width, 2 * width, bias=False)
        self.out = nn.Linear(width, width, bias=False)

    def forward(self, x):
        x = x[:, -96:]
        new, gate = self.gates(self.norm(x)).chunk(2, -1)
        share = torch.sigmoid(gate)
        state = torch.zeros_like(new[:, 0])
        for step in range(x.shape[1]):
            state = torch.lerp(state, new[:, step], share[:, step])
        return self.out(state)
