# expect: mismatch values
# problem: unit_places
# Ten times the bound: as right for what is far below both as for what is above them.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        return x / x.norm(dim=1, keepdim=True).clamp(min=1e-7)
