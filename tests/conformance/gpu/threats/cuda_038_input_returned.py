# expect: disqualified integrity
# platform: nvidia-cuda
# problem: deep_chain
# Writes the result into the input and returns it.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        return x.copy_(work(x))
