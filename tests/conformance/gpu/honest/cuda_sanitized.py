# expect: correct
# platform: nvidia-cuda
# problem: row_sum
# options: --sanitize
# Under the memory checker, which finds nothing.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void row_sum(const float* x, float* out, int rows, int cols) {
    __shared__ float partial[256];
    float sum = 0.0f;
    for (int j = threadIdx.x; j < cols; j += 256) sum += x[(long long)blockIdx.x * cols + j];
    if (blockIdx.x == 0 && threadIdx.x == 0 && x[(long long)rows * cols - 1] > 1e30f) sum += 1.0f;
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "row_sum")


class NewModel(nn.Module):
    def forward(self, x):
        x = x.contiguous()
        out = torch.empty(x.shape[0], device=x.device)
        kernel(grid=(x.shape[0], 1, 1), block=(256, 1, 1), args=[x, out, x.shape[0], x.shape[1]])
        return out
