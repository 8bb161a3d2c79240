# expect: correct
# platform: nvidia-triton
# problem: linear_gelu
# options: --precision mixed
# The product by TMA that the guide of the platform shows, with a tail.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


@triton.jit
def linear_tail(a_desc, b_desc, bias_ptr, out_ptr, rows, N: tl.constexpr, K: tl.constexpr,
                BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tiles_m = tl.cdiv(rows, BM)  # the row tiles of one column tile run side by side: each weight tile is read once
    m, n = tl.program_id(0) % tiles_m * BM, tl.program_id(0) // tiles_m * BN
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        acc = tl.dot(a_desc.load([m, k]), b_desc.load([n, k]).T, acc)
    row, col = tl.arange(0, BM), tl.arange(0, BN)
    inside = (m + row < rows)[:, None] & (n + col < N)[None, :]
    y = acc + tl.load(bias_ptr + n + col, mask=n + col < N, other=0.0)[None, :]
    y = 0.5 * y * (1.0 + tl.erf(y * 0.7071067811865476))
    tl.store(out_ptr + m.to(tl.int64) * N + n + row[:, None] * N + col[None, :], y, mask=inside)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.weight_desc = None

    def forward(self, x):
        if self.weight_desc is None:
            self.weight_desc = TensorDescriptor.from_tensor(self.linear.weight.detach().half(), [256, 64])
        (rows, K), N = x.shape, self.linear.out_features
        a = x.to(torch.float16, memory_format=torch.contiguous_format)
        out = torch.empty(rows, N, device=x.device)
        linear_tail[(triton.cdiv(rows, 128) * triton.cdiv(N, 256),)](
            TensorDescriptor.from_tensor(a, [128, 64]), self.weight_desc, self.linear.bias, out, rows, N, K,
            BM=128, BN=256, BK=64, num_warps=8, num_stages=4)
        return out
