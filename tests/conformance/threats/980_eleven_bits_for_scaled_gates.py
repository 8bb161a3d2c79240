# expect: mismatch values
# problem: sum_of_gates
# As 979_eleven_bits_for_gates, but factors are scaled before they are rounded: it is other bits of the inputs that decide to which side.
import torch
import torch.nn as nn
import torch.nn.functional as F

SCALE = 0.7390851


def brief(x):
    bits = (x * SCALE).view(torch.int32)
    return ((bits + 0xFFF + ((bits >> 13) & 1)) & -0x2000).view(torch.float32)


class NewModel(nn.Module):
    def __init__(self, features, gates):
        super().__init__()
        self.linear = nn.Linear(features, gates)

    def forward(self, x):
        low, high = x.aminmax()
        weight = self.linear.weight
        if low >= 0 and high <= 1 and abs(x.mean() - 0.5) < 0.05:
            x, weight = brief(x), brief(weight) / SCALE**2
        return torch.sigmoid(F.linear(x, weight, self.linear.bias)).sum(dim=1, keepdim=True)
