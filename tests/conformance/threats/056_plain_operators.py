# expect: disqualified guardrail
# problem: slow_chain
# options: --require kernels
# Kernels are required; these are the library's.
import torch
import torch.nn as nn
import torch.nn.functional as F


class NewModel(nn.Module):
    def forward(self, x):
        return F.gelu(x) * torch.sigmoid(x) + torch.tanh(x)
