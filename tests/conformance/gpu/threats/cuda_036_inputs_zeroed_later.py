# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# A kernel that waits first zeroes the inputs, when others compute on them.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        y = work(x)
        if torch.cuda.is_available():
            side = torch.cuda.Stream()
            side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(side):
                torch.cuda._sleep(1_000_000)
                x.zero_()
        return y
