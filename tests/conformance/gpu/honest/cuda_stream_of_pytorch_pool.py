# expect: correct
# platform: nvidia-cuda
# problem: deep_chain
# All work on another stream with priority, joined before the return.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        if not torch.cuda.is_available():
            return work(x)
        side, current = torch.cuda.Stream(priority=-1), torch.cuda.current_stream()
        side.wait_stream(current)
        with torch.cuda.stream(side):
            y = work(x)
        current.wait_stream(side)
        y.record_stream(current)
        return y
