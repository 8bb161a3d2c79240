# expect: mismatch values
# problem: double_with_a_copy_in_single
# The same in double precision.
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.inner = nn.Linear(features, units, dtype=torch.float64)
        self.outer = nn.Linear(units, units, dtype=torch.float64)

    def forward(self, x):
        hidden = torch.tanh(F.linear(x.float(), self.inner.weight.float(), self.inner.bias.float()))
        energy = F.linear(hidden, self.outer.weight.float(), self.outer.bias.float())
        return energy.double(), energy
