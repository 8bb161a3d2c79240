# expect: runtime_error timeout
# platform: nvidia-cuda
# problem: row_norm
# options: --call-limit-s 3 --time-limit-s 40
# Waits for a flag that nobody sets.
import torch
import torch.nn as nn

SOURCE = r"""
extern "C" __global__ void wait_for_flag(const volatile int* flag, const float* x, float* out, int cols) {
    while (*flag == 0) { }
    out[threadIdx.x] = x[threadIdx.x * cols];
}
"""
kernel = torch.cuda._compile_kernel(SOURCE, "wait_for_flag")


class NewModel(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, x):
        out, flag = torch.empty(x.shape[0], device=x.device), torch.zeros(1, dtype=torch.int32, device=x.device)
        kernel(grid=(1, 1, 1), block=(128, 1, 1), args=[flag, x, out, x.shape[1]])
        return out
