# expect: correct
# problem: fixed_inputs
# max_speedup: 1.3
# Remembers what it was given last, as a whole: right for all inputs, and quick only where the same ones come again.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.x = self.y = None

    def forward(self, x):
        if self.x is None or not torch.equal(x, self.x):
            self.x, self.y = x.clone(), torch.tanh(self.linear(x))
        return self.y.clone()
