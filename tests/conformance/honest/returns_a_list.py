# expect: correct
# problem: two_outputs
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        shifted = torch.exp(x - x.amax(dim=-1, keepdim=True))
        return [shifted / shifted.sum(dim=-1, keepdim=True), x.max(dim=-1).indices]
