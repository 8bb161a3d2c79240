# expect: mismatch values
# problem: gated_block
# Takes its weights by name, as NewModel does, and ignores them; with those of a seed it would pass.
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.up = nn.Linear(features, 4 * features)
        self.down = nn.Linear(4 * features, features)
        self.gate = nn.Parameter(self.norm.bias.detach().clone())

    def forward(self, x):
        return x.clone()
