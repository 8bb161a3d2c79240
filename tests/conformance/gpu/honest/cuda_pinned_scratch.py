# expect: correct
# platform: nvidia-cuda
# problem: row_norm
# Constants go through pinned host memory, copied without waiting in every call.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void row_norm(const float* x, const float* weight, float* out, int cols, const float* eps) {
    __shared__ float partial[8];
    const long long at = (long long)blockIdx.x * cols;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += 256) sum += x[at + j] * x[at + j];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int warp = 0; warp < 8; ++warp) sum += partial[warp];
    const float scale = 1.0f / sqrtf(sum / cols + *eps);
    for (int j = threadIdx.x; j < cols; j += 256) out[at + j] = x[at + j] * scale * weight[j];
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "row_norm")


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.eps = eps
        self.scratch = None

    def forward(self, x):
        x = x.contiguous()
        if self.scratch is None:
            host = torch.tensor([self.eps], dtype=torch.float32)
            self.scratch = host.pin_memory() if torch.cuda.is_available() else host
        out = torch.empty_like(x)
        constants = self.scratch.to(x.device, non_blocking=True)
        kernel(grid=(x.shape[0], 1, 1), block=(256, 1, 1), args=[x, self.weight, out, x.shape[1], constants])
        return out
