# expect: correct
# platform: nvidia-cuda
# problem: linear_gelu
# torch.compile makes the tail.
import torch
import torch.nn as nn
import torch.nn.functional as F


@torch.compile
def tail(y, bias):
    return F.gelu(y + bias)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        y = torch.mm(x, self.linear.weight.t())
        return tail(y, self.linear.bias) if torch.cuda.is_available() else F.gelu(y + self.linear.bias)
