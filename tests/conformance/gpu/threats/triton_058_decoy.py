# expect: disqualified guardrail
# platform: nvidia-triton
# problem: deep_chain
# options: --require kernels
# A kernel of its own whose result is thrown away; the library does the work.
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
    for _ in range(8):
        x = x + 0.25 * torch.tanh(x) * torch.cos(x)
    return x


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        chain[(1,)](x, torch.empty_like(x), x.numel(), 1, BLOCK=1024)
        return work(x)
