# expect: correct
# problem: sum_of_gates
# Blocks of gates, whose sums are added one after the other; the sigmoid by tanh.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features, gates):
        super().__init__()
        self.linear = nn.Linear(features, gates)

    def forward(self, x):
        total = torch.zeros(x.shape[0], 1)
        for weight, bias in zip(self.linear.weight.split(32), self.linear.bias.split(32)):
            total += (0.5 + 0.5 * torch.tanh(0.5 * F.linear(x, weight, bias))).sum(dim=1, keepdim=True)
        return total
