# expect: correct
# platform: nvidia-triton
# problem: linear_gelu
# options: --precision mixed
# A product by TMA with its tail in the epilogue; each program loops over tiles, the bounds of which it computes.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def linear_gelu(x_desc, weight_desc, bias_ptr, out_ptr, rows, cols, inner, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    tiles = tl.cdiv(rows, M) * tl.cdiv(cols, N)
    for tile in tl.range(tl.program_id(0), tiles, tl.num_programs(0)):
        m = tile // tl.cdiv(cols, N) * M
        n = tile % tl.cdiv(cols, N) * N
        acc = tl.zeros([M, N], tl.float32)
        for k in range(0, inner, K):
            acc = tl.dot(x_desc.load([m, k]), weight_desc.load([n, k]).T, acc)
        row, col = m + tl.arange(0, M), n + tl.arange(0, N)
        y = acc + tl.load(bias_ptr + col, mask=col < cols, other=0.0)[None, :]
        y = 0.5 * y * (1.0 + tl.erf(y * 0.7071067811865476))
        inside = (row < rows)[:, None] & (col < cols)[None, :]
        tl.store(out_ptr + row[:, None] * cols + col[None, :], y, mask=inside)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.packed = None

    def forward(self, x):
        if self.packed is None:
            self.packed = TensorDescriptor.from_tensor(self.linear.weight.detach().half(), [128, 64])
        (rows, inner), cols = x.shape, self.linear.out_features
        out = torch.empty(rows, cols, device=x.device)
        half = TensorDescriptor.from_tensor(x.half().contiguous(), [64, 64])
        linear_gelu[(24,)](half, self.packed, self.linear.bias, out, rows, cols, inner, M=64, N=128, K=64, num_warps=4)
        return out
