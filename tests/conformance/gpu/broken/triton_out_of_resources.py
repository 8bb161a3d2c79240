# expect: compilation_failure toolchain | runtime_error exception
# platform: nvidia-triton
# problem: linear_gelu
# evidence: [Oo]ut of resource|OutOfResources
# Tiles that need more shared memory than there is.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(x_ptr, weight_ptr, out_ptr, inner, N: tl.constexpr, K: tl.constexpr):
    i, k = tl.arange(0, N), tl.arange(0, K)
    acc = tl.zeros([N, N], tl.float32)
    for first in range(0, inner, K):
        x = tl.load(x_ptr + i[:, None] * inner + first + k[None, :])
        w = tl.load(weight_ptr + i[None, :] * inner + first + k[:, None])
        acc = tl.dot(x, w, acc)
    tl.store(out_ptr + i[:, None] * inner + i[None, :], acc)


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)

    def forward(self, x):
        y = self.linear(x)
        product[(1,)](x, self.linear.weight, y, x.shape[1], N=128, K=256, num_stages=4, num_warps=8)
        return y
