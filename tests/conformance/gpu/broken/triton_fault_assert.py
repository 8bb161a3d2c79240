# expect: runtime_error device_fault
# platform: nvidia-triton
# problem: row_norm
# A device-side assertion.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit(debug=True)
def row_norm(x_ptr, weight_ptr, out_ptr, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    inside = col < cols
    x = tl.load(x_ptr + row * cols + col, mask=inside, other=0.0)
    scale = tl.rsqrt(tl.sum(x * x, axis=0) / cols + eps)
    tl.device_assert(col < 10, "too wide")
    weight = tl.load(weight_ptr + col, mask=inside, other=0.0)
    tl.store(out_ptr + row * cols + col, x * scale * weight, mask=inside)


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        row_norm[(x.shape[0],)](x, self.weight, out, x.shape[1], self.eps, BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
