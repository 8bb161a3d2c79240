# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash
# platform: nvidia-cuda
# problem: deep_chain
# A thread of the host launches the work after the return.
import threading
import time

import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        threading.Thread(target=lambda: (time.sleep(0.001), y.copy_(work(x)))).start()
        return y
