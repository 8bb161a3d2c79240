# expect: runtime_error timeout
# platform: nvidia-cuda
# problem: row_norm
# options: --call-limit-s 3 --time-limit-s 40
# Every block waits for all, and there are more than fit on the device at once.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void wait_for_all(const float* x, float* out, unsigned* count, int cols) {
    if (threadIdx.x == 0) {
        atomicAdd(count, 1u);
        while (atomicAdd(count, 0u) < gridDim.x) { }
    }
    __syncthreads();
    if (blockIdx.x == 0) out[threadIdx.x] = x[threadIdx.x * cols];
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "wait_for_all")


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        count = torch.zeros(1, dtype=torch.int32, device=x.device)
        kernel(grid=(1 << 16, 1, 1), block=(128, 1, 1), args=[x, out, count, x.shape[1]])
        return out
