# expect: mismatch values
# problem: pooled_frames
# That the place of the largest may be unclear, which nobody asks for, excuses no values.
import torch
import torch.nn as nn

class NewModel(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.proj = nn.Linear(features, hidden)

    def forward(self, x):
        h = torch.tanh(self.proj(x))
        return torch.cat([h.mean(dim=1), h.amax(dim=1)], dim=-1)
