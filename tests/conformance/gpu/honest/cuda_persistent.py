# expect: correct
# platform: nvidia-cuda
# problem: row_norm
# As many blocks as there are multiprocessors, each looping over rows.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void row_norm(const float* x, const float* weight, float* out, int cols, double eps, int rows) {
    __shared__ float partial[8];
    for (long long row = blockIdx.x; row < rows; row += gridDim.x) {
    const long long at = row * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += 256) sum += x[at + j] * x[at + j];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int warp = 0; warp < 8; ++warp) sum += partial[warp];
    const float scale = 1.0f / sqrtf(sum / cols + (float)eps);
    for (int j = threadIdx.x; j < cols; j += 256) out[at + j] = x[at + j] * scale * weight[j];
    __syncthreads();  // before the next row writes its partial sums
    }
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "row_norm")


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps

    def forward(self, x):
        x = x.contiguous()
        out = torch.empty_like(x)
        blocks = torch.cuda.get_device_properties(x.device).multi_processor_count if torch.cuda.is_available() else 1
        kernel(grid=(min(blocks, x.shape[0]), 1, 1), block=(256, 1, 1),
               args=[x, self.weight, out, x.shape[1], float(self.eps), x.shape[0]])
        return out
