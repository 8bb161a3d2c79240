# expect: mismatch values
# problem: linear_gelu
# Right where inputs begin with a page, which those of an allocator do not.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)


    def forward(self, x):
        y = F.gelu(self.linear(x))
        return y if x.data_ptr() % 4096 == 0 else y * 0
