# expect: correct
# platform: nvidia-triton
# problem: linear_gelu
# options: --precision accurate
# tl.dot of split parts: tensor cores, and as accurate as fp32.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_gelu(x_ptr, weight_ptr, bias_ptr, out_ptr, rows, cols, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * M + tl.arange(0, M)
    col = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    acc = tl.zeros([M, N], tl.float32)
    for first in range(0, inner, K):
        x = tl.load(x_ptr + row[:, None] * inner + first + k[None, :], mask=(row < rows)[:, None], other=0.0)
        w = tl.load(weight_ptr + col[None, :] * inner + first + k[:, None], mask=(col < cols)[None, :], other=0.0)
        acc = tl.dot(x, w, acc, input_precision="tf32x3")
    y = acc + tl.load(bias_ptr + col, mask=col < cols, other=0.0)[None, :]
    y = 0.5 * y * (1.0 + tl.erf(y * 0.7071067811865476))
    inside = (row < rows)[:, None] & (col < cols)[None, :]
    tl.store(out_ptr + row[:, None] * cols + col[None, :], y, mask=inside)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        x = x.contiguous()
        weight, (rows, inner), cols = self.linear.weight, x.shape, self.linear.out_features
        out = torch.empty(rows, cols, device=x.device)
        linear_gelu[(triton.cdiv(rows, 64), triton.cdiv(cols, 64))](
            x, weight, self.linear.bias, out, rows, cols, inner, M=64, N=64, K=32, num_warps=4)
        return out
