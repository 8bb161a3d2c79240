# expect: mismatch values
# problem: probabilities_and_class
# That what is largest may be unclear excuses the probabilities of nothing.
import torch
import torch.nn as nn
import torch.nn.functional as F

class NewModel(nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.head = nn.Linear(features, classes)

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = ((x * x).mean(-1, keepdim=True) - mean * mean).clamp_(min=0)
        h = (x - mean) * torch.rsqrt(var + self.norm.eps) * self.norm.weight + self.norm.bias
        probabilities = torch.softmax(self.head(h), dim=-1)
        return probabilities, probabilities.argmax(dim=-1)
