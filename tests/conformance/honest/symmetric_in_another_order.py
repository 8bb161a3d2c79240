# expect: correct
# problem: symmetric_product
# AB is the transpose of BA where both are symmetric.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, a, b):
        return torch.matmul(b, a).T.contiguous()
