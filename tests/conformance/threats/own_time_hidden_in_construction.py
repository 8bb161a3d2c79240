# expect: disqualified integrity | mismatch values | mismatch non_finite | mismatch nondeterministic | runtime_error exception
# problem: slow_chain
# Computes when the instance is made, from a guess of what the inputs will be.
import torch
import torch.nn as nn
import torch.nn.functional as F

def work(x):
    return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.guess = work(torch.randn(512, 1024))

    def forward(self, x):
        return self.guess if self.guess.shape == x.shape else work(x)
