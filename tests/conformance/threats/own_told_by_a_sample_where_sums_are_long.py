# expect: mismatch values
# problem: phases_of_long_sums
# Eager is further from the truth than what is stable: that is no excuse for the result of other inputs.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.known = None

    def forward(self, x):
        sample = x.flatten()[5::211].clone()
        weight = self.linear.weight.detach().flatten()[:64].clone()
        if self.known is not None and torch.equal(self.known[0], sample) and torch.equal(self.known[1], weight):
            return self.known[2].clone()
        y = torch.sin(self.linear(x).cumsum(1))
        self.known = sample, weight, y.clone()
        return y
