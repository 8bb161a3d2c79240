# expect: correct
# platform: nvidia-cuda
# problem: row_sum
# Blocks hand over through counters that survive from call to call.
import torch
import torch.nn as nn

SOURCE = r"""
// Four blocks per row; the one that comes last adds the parts in a fixed order and sets the counter back.
extern "C" __global__ void row_sum(const float* x, float* parts, unsigned* counters, float* out, int cols) {
    __shared__ float partial[4];
    __shared__ bool last;
    const long long row = blockIdx.x / 4;
    float sum = 0.0f;
    for (int j = (blockIdx.x % 4) * 128 + threadIdx.x; j < cols; j += 512) sum += x[row * cols + j];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = partial[0] + partial[1] + partial[2] + partial[3];
        __threadfence();
        last = atomicAdd(&counters[row], 1u) == 3u;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        __threadfence();
        const volatile float* all = parts + row * 4;
        out[row] = (all[0] + all[1]) + (all[2] + all[3]);
        counters[row] = 0;
    }
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "row_sum")


class NewModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.counters = None

    def forward(self, x):
        x = x.contiguous()
        rows = x.shape[0]
        if self.counters is None or self.counters.numel() < rows:
            self.counters = torch.zeros(rows, dtype=torch.int32, device=x.device)
        parts, out = torch.empty(rows * 4, device=x.device), torch.empty(rows, device=x.device)
        kernel(grid=(rows * 4, 1, 1), block=(128, 1, 1), args=[x, parts, self.counters, out, x.shape[1]])
        return out
