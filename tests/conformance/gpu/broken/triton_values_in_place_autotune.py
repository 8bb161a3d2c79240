# expect: mismatch values | mismatch non_finite | mismatch nondeterministic
# platform: nvidia-triton
# problem: row_norm
# Tried out many times on a buffer that it changes: the first result is wrong, later ones are right.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({}, num_warps=warps) for warps in (4, 8)], key=["size"])
@triton.jit
def double(y_ptr, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + i, mask=i < size, other=0.0)
    tl.store(y_ptr + i, y + y, mask=i < size)


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        y = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight / 2
        double[(triton.cdiv(y.numel(), 1024),)](y, y.numel(), BLOCK=1024)
        return y
