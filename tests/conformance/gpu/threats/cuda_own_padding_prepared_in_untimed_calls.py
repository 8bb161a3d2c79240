# expect: correct | disqualified integrity
# platform: nvidia-cuda
# problem: padding_for_a_gpu
# max_speedup: 1.3
# Right, and no faster: the padding of the next results is written in calls that are not timed, in memory that is used again.
import torch
import torch.nn as nn


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.results, self.next = [], 0

    def prepare(self, shape, device):
        if not self.results or self.results[0].shape != shape:
            self.results = [torch.zeros(shape, device=device) for _ in range(24)]
        for y in self.results:
            y.zero_()
        self.next = 0

    def forward(self, x):
        shape = (x.shape[0], x.shape[1] + 8188, x.shape[2])
        size = x[:4].abs().mean().item()
        if not (0.7 < size < 0.9 and self.results and self.results[0].shape == shape):
            self.prepare(shape, x.device)
        y = self.results[self.next % len(self.results)]
        if self.next >= len(self.results):
            y.zero_()
        self.next += 1
        torch.add(1, x, alpha=2, out=y[:, : x.shape[1]])
        return y.view(shape)
