# expect: mismatch values | mismatch non_finite | mismatch nondeterministic | disqualified integrity
# platform: nvidia-triton
# problem: deep_chain
# Results by the address of the input.
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


SEEN = {}


class NewModel(nn.Module):
    def forward(self, x):
        key = (x.data_ptr(), x.shape)
        if key not in SEEN:
            SEEN[key] = work(x.contiguous())
        return SEEN[key].clone()
