# expect: mismatch non_finite
# problem: affinities
# options: --precision mixed
# Half precision has no range for the values of the problem: that it has none for others is no excuse.
import torch
import torch.nn as nn

class NewModel(nn.Module):
    def __init__(self, temperature):
        super().__init__()
        self.temperature = temperature

    def forward(self, x):
        e = torch.exp((x.t() @ x) * (self.temperature / x.shape[0]))
        return e / e.sum(dim=-1, keepdim=True)
