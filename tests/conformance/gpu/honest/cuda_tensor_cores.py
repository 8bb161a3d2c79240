# expect: correct
# platform: nvidia-cuda
# problem: linear_gelu
# options: --precision mixed
# Tensor cores by wmma in fp16, which the policy allows.
import torch
import torch.nn as nn

SOURCE = r"""
#include <mma.h>
using namespace nvcuda;

// A warp per tile of 16 x 16; rows that stick out are padded by the caller.
extern "C" __global__ void linear_gelu(const half* x, const half* weight, const float* bias, float* out, int inner, int cols) {
    __shared__ float tile[4][256];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int row = blockIdx.y * 16, col = (blockIdx.x * 4 + warp) * 16;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < inner; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
        wmma::load_matrix_sync(a, x + (long long)row * inner + k, inner);
        wmma::load_matrix_sync(b, weight + (long long)col * inner + k, inner);
        wmma::mma_sync(sum, a, b, sum);
    }
    wmma::store_matrix_sync(tile[warp], sum, 16, wmma::mem_row_major);
    __syncwarp();
    for (int i = lane; i < 256; i += 32) {
        const float v = tile[warp][i] + bias[col + i % 16];
        out[(long long)(row + i / 16) * cols + col + i % 16] = 0.5f * v * (1.0f + erff(v * 0.70710678118654752f));
    }
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "linear_gelu")


class NewModel(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.linear = nn.Linear(features, features)
        self.packed = None

    def forward(self, x):
        if self.packed is None:
            self.packed = self.linear.weight.half().contiguous()
        rows, inner = x.shape
        cols, padded = self.packed.shape[0], (rows + 15) // 16 * 16
        halves = torch.zeros(padded, inner, dtype=torch.float16, device=x.device)
        halves[:rows] = x
        out = torch.empty(padded, cols, device=x.device)
        kernel(grid=(cols // 64, padded // 16, 1), block=(128, 1, 1),
               args=[halves, self.packed, self.linear.bias, out, inner, cols])
        return out[:rows]
