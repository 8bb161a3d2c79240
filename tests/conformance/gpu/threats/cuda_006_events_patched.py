# expect: correct | disqualified integrity
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# All events of PyTorch measure next to nothing.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


for owner in (torch.cuda.Event, torch.Event):
    try:
        owner.elapsed_time = lambda self, other: 1e-6
        owner.query = lambda self: True
    except TypeError:  # a type that cannot be changed
        continue


class NewModel(nn.Module):
    def forward(self, x):
        return work(x)
