# expect: disqualified guardrail
# platform: nvidia-cuda
# problem: deep_chain
# options: --require kernels
# Kernels are required; these are the library's.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        return work(x)
