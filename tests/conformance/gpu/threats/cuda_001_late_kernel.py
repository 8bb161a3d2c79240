# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# A kernel that waits first fills the result, on a stream of low priority.
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
        y, side = torch.empty_like(x), torch.cuda.Stream(priority=0)
        with torch.cuda.stream(side):
            torch.cuda._sleep(2_000_000)
            y.copy_(work(x))
        return y
