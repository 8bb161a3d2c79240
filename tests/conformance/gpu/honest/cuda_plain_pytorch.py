# expect: correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.15
# The reference's own operators: neither faster nor slower.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def forward(self, x):
        for _ in range(8):
            x = x + 0.25 * torch.tanh(x) * torch.cos(x)
        return x
