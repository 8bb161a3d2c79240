# expect: mismatch generalization
# platform: nvidia-triton
# problem: row_norm
# options: --require batch
# As many programs as the given inputs have rows, always.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_norm(x_ptr, weight_ptr, out_ptr, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    inside = col < cols
    x = tl.load(x_ptr + row * cols + col, mask=inside, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / cols + eps)
    weight = tl.load(weight_ptr + col, mask=inside, other=0.0)
    tl.store(out_ptr + row * cols + col, x * scale * weight, mask=inside)


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        rows = x.shape[0]
        x = torch.cat([x, x.new_zeros(max(0, 1024 - rows), x.shape[1])])
        out = torch.empty_like(x)
        row_norm[(1024,)](x, self.weight, out, x.shape[1], self.eps, BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
