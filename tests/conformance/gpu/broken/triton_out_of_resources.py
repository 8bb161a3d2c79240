# expect: compilation_failure toolchain | runtime_error exception
# platform: nvidia-triton
# problem: linear_gelu
# evidence: [Oo]ut of resource|OutOfResources
# offline: compilation_failure
# Tiles that need more shared memory than there is: right in the interpreter, and compiled without complaint.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear_gelu(x_ptr, weight_ptr, bias_ptr, out_ptr, rows, cols, inner, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0) * N + tl.arange(0, N)
    col = tl.program_id(1) * N + tl.arange(0, N)
    k = tl.arange(0, K)
    acc = tl.zeros([N, N], tl.float32)
    for first in range(0, inner, K):
        x = tl.load(x_ptr + row[:, None] * inner + first + k[None, :], mask=(row < rows)[:, None], other=0.0)
        w = tl.load(weight_ptr + col[None, :] * inner + first + k[:, None], mask=(col < cols)[None, :], other=0.0)
        acc = tl.dot(x, w, acc, input_precision="ieee")
    y = acc + tl.load(bias_ptr + col, mask=col < cols, other=0.0)[None, :]
    y = 0.5 * y * (1.0 + tl.erf(y * 0.7071067811865476))
    inside = (row < rows)[:, None] & (col < cols)[None, :]
    tl.store(out_ptr + row[:, None] * cols + col[None, :], y, mask=inside)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        (rows, inner), cols = x.shape, self.linear.out_features
        out = torch.empty(rows, cols, device=x.device)
        linear_gelu[(triton.cdiv(rows, 128), triton.cdiv(cols, 128))](
            x.contiguous(), self.linear.weight, self.linear.bias, out, rows, cols, inner, N=128, K=32, num_stages=12, num_warps=8)
        return out
