# expect: correct
# platform: nvidia-triton
# problem: deep_chain
# Forty operators in one pass: many times as fast, and rightly so.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def chain(x_ptr, out_ptr, size, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < size, other=0.0)
    for _ in range(8):
        square = x * x
        tanh = tl.where(tl.abs(x) < 0.1, x * (1 - square / 3 + square * square * 2 / 15), 2 * tl.sigmoid(2 * x) - 1)
        x = x + 0.25 * tanh * tl.cos(x)
    tl.store(out_ptr + i, x, mask=i < size)


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        chain[(triton.cdiv(x.numel(), 4096),)](x, out, x.numel(), BLOCK=4096)
        return out
