# expect: correct
# platform: nvidia-triton
# problem: row_norm
# Two pipelined passes over blocks of columns.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_norm(x_ptr, weight_ptr, out_ptr, cols, eps, BLOCK: tl.constexpr):
    start = tl.program_id(0).to(tl.int64) * cols
    total = tl.zeros([BLOCK], tl.float32)
    for first in tl.range(0, cols, BLOCK, num_stages=3):
        col = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + start + col, mask=col < cols, other=0.0)
        total += x * x
    scale = tl.rsqrt(tl.sum(total, axis=0) / cols + eps)
    for first in tl.range(0, cols, BLOCK, num_stages=3):
        col = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + start + col, mask=col < cols, other=0.0)
        weight = tl.load(weight_ptr + col, mask=col < cols, other=0.0)
        tl.store(out_ptr + start + col, x * scale * weight, mask=col < cols)


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        row_norm[(x.shape[0],)](x, self.weight, out, x.shape[1], self.eps, BLOCK=256)
        return out
