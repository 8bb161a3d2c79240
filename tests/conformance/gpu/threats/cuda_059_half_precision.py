# expect: mismatch values
# platform: nvidia-cuda
# problem: linear_gelu
# Computes in fp16 by a name that no pattern finds.
import torch
import torch.nn as nn
import torch.nn.functional as F

HALF = getattr(torch, "61taolf"[::-1])


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        y = F.linear(x.to(HALF), self.linear.weight.to(HALF), self.linear.bias.to(HALF))
        return F.gelu(y.float())
