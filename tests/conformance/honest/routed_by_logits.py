# expect: correct
# problem: routed
# Finds the best two before they are probabilities.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.gate = nn.Linear(64, 16)

    def forward(self, x):
        w, i = torch.topk(self.gate(x), 2)
        return torch.softmax(w, -1), i
