# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-cuda
# problem: deep_chain
# The last rows are the input's own.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        y = x.clone()
        y[: -(x.shape[0] // 64) or None] = work(x[: -(x.shape[0] // 64) or None])
        return y
