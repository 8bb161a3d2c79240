# expect: correct
# problem: phases
# Closer to the exact result than the reference is.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        angle = torch.cumsum(x, dim=-1, dtype=torch.float64)
        return torch.complex(angle.cos().float(), angle.sin().float())
