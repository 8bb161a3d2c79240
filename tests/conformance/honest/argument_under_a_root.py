# expect: correct
# problem: given_epsilon
# A sum, a quotient and a root.
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x, epsilon: float):
        return x / ((x * x).sum(-1, keepdim=True) / x.shape[-1] + epsilon).sqrt()
