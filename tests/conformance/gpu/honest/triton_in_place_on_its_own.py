# expect: correct
# platform: nvidia-triton
# problem: linear_gelu
# The library does the product; the tail works in place on the result, which is the candidate's own.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_gelu(y_ptr, bias_ptr, out_ptr, cols, size, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(y_ptr + i, mask=i < size, other=0.0) + tl.load(bias_ptr + i % cols, mask=i < size, other=0.0)
    tl.store(out_ptr + i, 0.5 * y * (1.0 + tl.erf(y * 0.7071067811865476)), mask=i < size)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        y = torch.mm(x, self.linear.weight.t())
        bias_gelu[(triton.cdiv(y.numel(), 1024),)](y, self.linear.bias, y, y.shape[1], y.numel(), BLOCK=1024)
        return y
