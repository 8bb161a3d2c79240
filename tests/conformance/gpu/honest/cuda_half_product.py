# expect: correct
# platform: nvidia-cuda
# problem: linear_gelu
# options: --precision mixed
# The library's product in fp16, the tail in fp32.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.packed = None

    def forward(self, x):
        if self.packed is None:
            self.packed = self.linear.weight.half()
        y = F.linear(x.half(), self.packed).float()
        return F.gelu(y + self.linear.bias)
