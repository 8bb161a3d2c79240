# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-cuda
# problem: deep_chain
# max_speedup: 1.3
# Every way to wait that PyTorch has does nothing; the work is on another stream.
import torch
import torch.nn as nn


def work(x):
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


torch.cuda.synchronize = lambda device=None: None
for owner in (torch.cuda.Stream, torch.cuda.Event, torch.Stream, torch.Event):
    try:
        owner.synchronize = lambda self: None
        owner.query = lambda self: True
    except TypeError:  # a type that cannot be changed
        continue
for name in ("_cuda_synchronize", "_accelerator_synchronizeDevice"):
    if hasattr(torch._C, name):
        setattr(torch._C, name, lambda *args: None)
torch.accelerator.synchronize = lambda *args: None


class NewModel(nn.Module):
    def forward(self, x):
        if not torch.cuda.is_available():
            return work(x)
        y, side = torch.empty_like(x), torch.cuda.Stream()
        with torch.cuda.stream(side):
            y.copy_(work(x))
        return y
