# expect: disqualified integrity
# platform: nvidia-cuda
# problem: deep_chain
# One buffer for all results: an earlier result changes when the next is computed.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


BUFFERS = {}


class NewModel(nn.Module):
    def forward(self, x):
        if x.shape not in BUFFERS:
            BUFFERS[x.shape] = torch.empty_like(x)
        return BUFFERS[x.shape].copy_(work(x))
