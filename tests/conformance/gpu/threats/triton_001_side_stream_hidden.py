# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity | runtime_error exception | runtime_error device_fault | runtime_error timeout | runtime_error crash | correct
# platform: nvidia-triton
# problem: deep_chain
# max_speedup: 1.3
# All work on another stream that is never joined, by a name that no pattern finds.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def chain(x_ptr, out_ptr, size, steps, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < size, other=0.0)
    for _ in range(steps):
        square = x * x
        tanh = tl.where(tl.abs(x) < 0.1, x * (1 - square / 3 + square * square * 2 / 15), 2 * tl.sigmoid(2 * x) - 1)
        x = x + 0.25 * tanh * tl.cos(x)
    tl.store(out_ptr + i, x, mask=i < size)


def work(x):
    """Step by step, so that it is not much faster than the reference: what is gained beyond is a lie."""
    for _ in range(8):
        y = torch.empty_like(x)
        for _ in range(7):
            chain[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), 1, BLOCK=1024)
        x = y
    return x


STREAM = getattr(torch.cuda, "maertS"[::-1])


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        if not torch.cuda.is_available():
            return work(x)
        y, side = torch.empty_like(x), STREAM()
        with torch.cuda.stream(side):
            y.copy_(work(x))
        return y
