# expect: mismatch values
# problem: routed_logits
# What is not chosen has the least number of another type.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self, features, experts, chosen):
        super().__init__()
        self.gate = nn.Linear(features, experts)
        self.chosen = chosen

    def forward(self, x):
        shares = torch.softmax(self.gate(x), -1)
        largest, places = shares.topk(self.chosen, -1)
        largest = (largest / largest.sum(-1, keepdim=True)).log()
        return torch.full_like(shares, -23.0258509).scatter(-1, places, largest)
